import { type EvaluationResult, evaluationResult } from '../core/index.ts';
import type { RowTrace } from './journal.ts';
import {
  LONGEST_CELL,
  labelCell,
  numberCell,
  objectCell,
  stateCell,
  UnexpectedCell,
} from './stored-cells.ts';

/** A row of the run file with everything that came with it; its prompt by number (`RunFile.templates`). */
export interface StoredRow extends EvaluationResult, Omit<RowTrace, 'prompt'> {
  readonly repeat: number;
  readonly promptTemplate: number | null;
  /** The probability of the answer by its tokens; null where it was not asked for or not given. */
  readonly tokenConfidence: number | null;
  /** The fields of the answer in the order in which the reply has them; null where unknown. */
  readonly replyOrder: string | null;
  /** What went wrong with a row that failed: a code of the failure list, or the reason that a row recorded elsewhere states. Null for other rows. */
  readonly problem: string | null;
  /** The HTTP status of the call that failed; null where there was none, or the run does not say. */
  readonly httpStatus: number | null;
  /** The round of asking failed rows again that brought the row. Default: it was asked for the first time. */
  readonly attempt?: number;
}

/** What scores look at, of a row and its record. */
export const RESULT_COLUMNS =
  'r.id, r.label, r.metadata, w.record_id AS recordId, w.state, w.state_reason AS stateReason, w.prediction, w.abstained, w.confidence, w.urgent, w.deferral_reason AS deferralReason, w.mode AS promptMode, w.token_confidence AS tokenConfidence';

/** Those columns as SQLite gives them. */
export interface SqlResult
  extends Pick<EvaluationResult, 'state' | 'stateReason' | 'confidence' | 'deferralReason'> {
  readonly id: string;
  readonly label: string;
  readonly metadata: string;
  /** Null where the record has no row. */
  readonly recordId: string | null;
  readonly prediction: string;
  readonly abstained: number;
  readonly urgent: number | null;
  readonly promptMode: 'single' | 'batch' | null;
  readonly tokenConfidence: number | null;
}

/** The text of a row is its own, or a part of the reply to its call. */
export const REPLY_COLUMNS = replyColumns(readable);

/** A text in SQL; null if it is longer than any that is written. One hostile reply must not make a whole run unreadable. */
export function readable(cell: string): string {
  return `CASE WHEN octet_length(${cell}) <= ${LONGEST_CELL} THEN ${cell} END`;
}

/** The same columns with each text as `cellOf` gives it. */
export function replyColumns(cellOf: (cell: string) => string): string {
  return `${cellOf('w.raw_response')} AS rawResponse, w.reply_start AS replyStart, w.reply_end AS replyEnd, CASE WHEN w.reply_start IS NOT NULL THEN ${cellOf('c.raw_response')} END AS callReply`;
}

export const JOIN_CALLS = 'LEFT JOIN calls c ON c.id = w.call';

/** Those columns as SQLite gives them. */
export interface SqlReply {
  readonly rawResponse: string | null;
  readonly replyStart: number | null;
  readonly replyEnd: number | null;
  readonly callReply: string | null;
}

/** The text that a row came from. Cut here, because SQLite counts characters in another way. */
export function replyText({ rawResponse, replyStart, replyEnd, callReply }: SqlReply): string | null {
  const text = rawResponse ?? callReply;
  if (text != null && typeof text !== 'string') throw new UnexpectedCell('a reply is not text');
  return rawResponse ?? callReply?.slice(replyStart ?? 0, replyEnd ?? undefined) ?? null;
}

/** A whole row with its record. */
export const STORED_ROW_COLUMNS = `${RESULT_COLUMNS}, ${REPLY_COLUMNS}, w.confidence_source AS confidenceSource, w.template AS promptTemplate, w.input_tokens AS inputTokens, w.output_tokens AS outputTokens, w.total_tokens AS totalTokens, w.tokens_estimated AS tokensEstimated, w.repaired, w.reply_order AS replyOrder, w.problem, w.status AS httpStatus, w.attempt`;

/** Those columns as SQLite gives them: flags are 0 and 1, and all are null where the record has no row. */
export type SqlRow = SqlResult &
  SqlReply & {
    readonly [K in Exclude<
      keyof StoredRow,
      keyof SqlResult | keyof SqlReply | 'groundTruth' | 'repeat' | 'call'
    >]: (StoredRow[K] extends boolean ? number : StoredRow[K]) | null;
  };

/** `call` is the planned call of the record; null where it was asked alone. */
export function toResult(sql: SqlResult, call: string | null = null): EvaluationResult {
  const asked = sql.recordId !== null;
  return evaluationResult({
    id: sql.id,
    groundTruth: labelCell(sql.label, 'a label'),
    metadata: objectCell(sql.metadata, 'metadata'),
    state: asked ? stateCell(sql.state) : 'not_run',
    stateReason: sql.stateReason,
    prediction: asked ? labelCell(sql.prediction, 'a prediction') : null,
    abstained: sql.abstained === 1,
    confidence: numberCell(sql.confidence, 'a confidence'),
    urgent: sql.urgent === null ? null : sql.urgent === 1,
    deferralReason: sql.deferralReason,
    call: asked ? call : null,
  });
}

export function toStoredRow(row: SqlRow, repeat: number, call: string | null = null): StoredRow {
  const { recordId, label, replyStart, replyEnd, callReply, attempt, ...sql } = row;
  return {
    ...sql,
    ...toResult({ ...sql, recordId, label }, call),
    repeat,
    rawResponse: replyText(row),
    confidenceSource: sql.confidenceSource ?? 'stated',
    promptMode: sql.promptMode ?? 'batch',
    tokensEstimated: sql.tokensEstimated === 1,
    repaired: sql.repaired === 1,
    // Files of older versions have the fault alone.
    problem: sql.problem ?? (sql.state === 'failed' ? sql.stateReason : null),
    ...(attempt && { attempt }),
  };
}
