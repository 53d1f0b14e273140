import { type EvaluationResult, evaluationResult, type Label, type RowState } from '../core/index.ts';
import type { RowTrace } from './journal.ts';

/** A row of the run file with everything that came with it; its prompt by number (`RunFile.templates`). */
export interface StoredRow extends EvaluationResult, Omit<RowTrace, 'prompt'> {
  readonly repeat: number;
  readonly promptTemplate: number | null;
}

/** What scores look at, of a row and its record. */
export const RESULT_COLUMNS =
  'r.id, r.label, r.metadata, w.record_id, w.state, w.state_reason, w.prediction, w.abstained, w.confidence, w.mode';

/** Those columns as SQLite gives them. */
export interface SqlResult {
  readonly id: string;
  readonly label: string;
  readonly metadata: string;
  readonly record_id: string | null;
  readonly state: RowState;
  readonly state_reason: string | null;
  readonly prediction: string;
  readonly abstained: number;
  readonly confidence: number | null;
  readonly mode: 'single' | 'batch' | null;
}

/** A whole row as the query over records and rows gives it. */
export interface SqlRow extends SqlResult {
  readonly confidence_source: StoredRow['confidenceSource'] | null;
  readonly raw_response: string | null;
  readonly template: number | null;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly total_tokens: number | null;
  readonly tokens_estimated: number;
  readonly repaired: number;
}

export function toResult(sql: SqlResult): EvaluationResult {
  const asked = sql.record_id !== null;
  return evaluationResult({
    id: sql.id,
    groundTruth: JSON.parse(sql.label) as Label | null,
    metadata: JSON.parse(sql.metadata),
    state: asked ? sql.state : 'not_run',
    stateReason: sql.state_reason,
    prediction: asked ? JSON.parse(sql.prediction) : null,
    abstained: sql.abstained === 1,
    confidence: sql.confidence,
  });
}

export function toStoredRow(sql: SqlRow, repeat: number): StoredRow {
  return {
    ...toResult(sql),
    repeat,
    confidenceSource: sql.confidence_source ?? 'stated',
    rawResponse: sql.raw_response,
    promptTemplate: sql.template,
    promptMode: sql.mode ?? 'batch',
    inputTokens: sql.input_tokens,
    outputTokens: sql.output_tokens,
    totalTokens: sql.total_tokens,
    tokensEstimated: sql.tokens_estimated === 1,
    repaired: sql.repaired === 1,
  };
}
