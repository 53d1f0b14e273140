import { canonicalJson } from '../core/index.ts';
import type { Cells } from './chain.ts';
import type { CallIntent, CallOutcome, JournalRow } from './journal.ts';
import { storedText, type TextHashes } from './stored-text.ts';

/** The cells of a call that is about to be made. */
export function intentCells(call: CallIntent): Cells {
  return {
    key: call.key,
    mode: call.mode,
    repeat: call.repeat,
    record_ids: JSON.stringify(call.recordIds),
    n_records: call.recordIds.length,
    attempt: call.attempt,
    started_at: Date.now() / 1000,
    reserved_usd: call.reservedUsd ?? null,
    settings: call.settings ? canonicalJson(call.settings) : null,
  };
}

/** The reply of a call: stored once, with the call, or withheld, and then only measured and hashed. */
interface CallReply {
  readonly text: string | null;
  readonly withheld: string | null;
}

export function replyOf(outcome: CallOutcome, [first]: readonly JournalRow[]): CallReply {
  const withheld = outcome.withheld ?? first?.withheld ?? null;
  return {
    text: outcome.rawResponse ?? (withheld === null ? (first?.rawResponse ?? null) : null),
    withheld,
  };
}

/** The cells that the outcome of a call fills. */
export function outcomeCells(
  outcome: CallOutcome,
  { text, withheld }: CallReply,
  textKey: TextHashes,
): Cells {
  const stored = storedText(text, withheld, textKey);
  return {
    finished_at: Date.now() / 1000,
    outcome: outcome.outcome,
    error: outcome.error,
    input_tokens: outcome.inputTokens,
    output_tokens: outcome.outputTokens,
    wasted_tokens: outcome.wastedTokens,
    latency: outcome.latencySeconds,
    model_id: outcome.modelId,
    cost_usd: outcome.costUsd,
    cached: outcome.cachedAt === null ? 0 : 1,
    cached_at: outcome.cachedAt,
    cost_basis: outcome.costBasis ?? null,
    raw_response: stored.text,
    reply_salt: stored.salt,
    reply_length: stored.length,
    reply_hash: stored.hash,
    kept_hash: stored.keptHash,
    problem: outcome.problem ?? null,
    status: outcome.status ?? null,
    worker: outcome.worker ?? null,
    via: outcome.via ?? null,
  };
}
