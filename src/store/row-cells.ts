import type { Cells } from './chain.ts';
import type { JournalRow } from './journal.ts';
import { storedText, type TextHashes } from './stored-text.ts';

/** What a row is stored with besides itself. */
interface RowContext {
  /** The call that brought it; null for a row that failed. */
  readonly call: number | null;
  /** The reply as it is stored with the call: a row with the same text refers to its part of it. */
  readonly reply: string | null;
  /** The number of its prompt's template. */
  readonly template: number | null;
  readonly textKey: TextHashes;
}

/** The cells of a row in the table of rows. */
export function rowCells(row: JournalRow, { call, reply, template, textKey }: RowContext): Cells {
  const isPart = reply !== null && row.rawResponse === reply;
  const { start = 0, end = reply?.length ?? 0 } = row.replySpan ?? {};
  const own = storedText(
    isPart ? null : row.rawResponse,
    call === null ? (row.withheld ?? null) : null,
    textKey,
  );
  return {
    record_id: row.recordId,
    repeat: row.repeat,
    attempt: row.attempt ?? 0,
    state: row.state,
    state_reason: row.stateReason,
    prediction: JSON.stringify(row.prediction),
    abstained: row.abstained ? 1 : 0,
    confidence: row.confidence,
    confidence_source: row.confidenceSource,
    deferral_reason: row.deferralReason ?? null,
    raw_response: own.text,
    reply_salt: own.salt,
    reply_start: isPart ? start : null,
    reply_end: isPart ? end : null,
    reply_length: own.length,
    reply_hash: own.hash,
    kept_hash: own.keptHash,
    reply_order: row.replyOrder ?? null,
    template,
    mode: row.promptMode,
    call,
    input_tokens: row.inputTokens,
    output_tokens: row.outputTokens,
    total_tokens: row.totalTokens,
    tokens_estimated: row.tokensEstimated ? 1 : 0,
    repaired: row.repaired ? 1 : 0,
    problem: row.problem ?? null,
    status: row.status ?? null,
    urgent: row.urgent == null ? null : Number(row.urgent),
    token_confidence: row.tokenConfidence ?? null,
  };
}
