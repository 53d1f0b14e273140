import { type EvaluationResult, evaluationResult } from '../core/index.ts';
import type { RowTrace } from './journal.ts';

/** A row of the run file with everything that came with it; its prompt by number (`RunFile.templates`). */
export interface StoredRow extends EvaluationResult, Omit<RowTrace, 'prompt'> {
  readonly repeat: number;
  readonly promptTemplate: number | null;
}

/** What scores look at, of a row and its record. */
export const RESULT_COLUMNS =
  'r.id, r.label, r.metadata, w.record_id AS recordId, w.state, w.state_reason AS stateReason, w.prediction, w.abstained, w.confidence, w.mode AS promptMode';

/** Those columns as SQLite gives them. */
export interface SqlResult extends Pick<EvaluationResult, 'state' | 'stateReason' | 'confidence'> {
  readonly id: string;
  readonly label: string;
  readonly metadata: string;
  /** Null where the record has no row. */
  readonly recordId: string | null;
  readonly prediction: string;
  readonly abstained: number;
  readonly promptMode: 'single' | 'batch' | null;
}

/** A whole row with its record. */
export const STORED_ROW_COLUMNS = `${RESULT_COLUMNS}, w.confidence_source AS confidenceSource, w.raw_response AS rawResponse, w.template AS promptTemplate, w.input_tokens AS inputTokens, w.output_tokens AS outputTokens, w.total_tokens AS totalTokens, w.tokens_estimated AS tokensEstimated, w.repaired`;

/** Those columns as SQLite gives them: flags are 0 and 1, and all are null where the record has no row. */
export type SqlRow = SqlResult & {
  readonly [K in Exclude<keyof StoredRow, keyof SqlResult | 'groundTruth' | 'repeat'>]:
    | (StoredRow[K] extends boolean ? number : StoredRow[K])
    | null;
};

export function toResult(sql: SqlResult): EvaluationResult {
  const asked = sql.recordId !== null;
  return evaluationResult({
    id: sql.id,
    groundTruth: JSON.parse(sql.label),
    metadata: JSON.parse(sql.metadata),
    state: asked ? sql.state : 'not_run',
    stateReason: sql.stateReason,
    prediction: asked ? JSON.parse(sql.prediction) : null,
    abstained: sql.abstained === 1,
    confidence: sql.confidence,
  });
}

export function toStoredRow({ recordId, label, ...sql }: SqlRow, repeat: number): StoredRow {
  return {
    ...sql,
    ...toResult({ ...sql, recordId, label }),
    repeat,
    confidenceSource: sql.confidenceSource ?? 'stated',
    promptMode: sql.promptMode ?? 'batch',
    tokensEstimated: sql.tokensEstimated === 1,
    repaired: sql.repaired === 1,
  };
}
