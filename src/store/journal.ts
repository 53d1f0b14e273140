import type { EvaluationResult } from '../core/index.ts';
import type { BackendResponse, Fault } from '../models/index.ts';

/** What came with an answer, kept beside the row that is scored. */
export type RowTrace = Pick<
  BackendResponse,
  | 'confidenceSource'
  | 'rawResponse'
  | 'prompt'
  | 'promptMode'
  | 'inputTokens'
  | 'outputTokens'
  | 'totalTokens'
> & {
  /** True where the tokens of a batch were shared out among its rows. */
  readonly tokensEstimated: boolean;
  /** True where the reply had to be mended to be read. */
  readonly repaired: boolean;
};

/** One answer as it is kept: the row that is scored, and how it came about. */
export interface JournalRow extends Omit<EvaluationResult, 'groundTruth' | 'metadata' | 'id'>, RowTrace {
  readonly recordId: string;
  /** 0 for the first time a record is asked. */
  readonly repeat: number;
}

/** A row without an answer: it failed on us, or was never asked. */
export function emptyRow(
  recordId: string,
  repeat: number,
  state: 'failed' | 'not_run',
  reason: string | null,
): JournalRow {
  return {
    recordId,
    repeat,
    state,
    stateReason: reason,
    prediction: null,
    abstained: false,
    confidence: null,
    confidenceSource: 'stated',
    rawResponse: null,
    prompt: null,
    promptMode: 'single',
    inputTokens: null,
    outputTokens: null,
    totalTokens: null,
    tokensEstimated: false,
    repaired: false,
  };
}

/** A question to a judge is about one answer. */
export type CallMode = 'single' | 'batch' | 'judge';

/** What is about to be asked. `key` is made of the records of the batch, the mode and the repeat: the same question has the same key in every process. */
export interface CallIntent {
  readonly key: string;
  readonly mode: CallMode;
  readonly repeat: number;
  readonly recordIds: readonly string[];
  readonly attempt: number;
}

/** What came of it. `retry`: it failed and will be made again. `answered`, or the fault that ended it. */
export interface CallOutcome {
  readonly outcome: 'answered' | 'retry' | Fault;
  /** The fault and what was said of it: `rate_limit: slow down`. */
  readonly error: string | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** Tokens that led to no row. */
  readonly wastedTokens: number;
  /** Null for a reply from the cache. */
  readonly latencySeconds: number | null;
  readonly modelId: string | null;
  /** Null where no price is known. */
  readonly costUsd: number | null;
  /** What came back, where it could not be used as it was; and of a judge, always. */
  readonly rawResponse: string | null;
  /** True for a reply from the cache: nothing was asked, and nothing paid. */
  readonly cached: boolean;
}

export interface CallTotals {
  readonly calls: number;
  readonly retries: number;
  readonly splits: number;
  readonly singleFallbacks: number;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly wastedTokens: number;
  /** Calls that the provider turned away. */
  readonly rateLimits: number;
  readonly latencies: readonly number[];
  readonly modelIds: readonly string[];
  /** Null when no call had a price. */
  readonly costUsd: number | null;
  readonly cacheHits: number;
}

/**
 * The memory of a run. Every call is entered before it is made and after it came back; rows are entered together with the call that brought them. Whoever
 * continues a run asks here first, and makes no call again that has come back.
 */
export interface Journal {
  isDone(recordId: string, repeat: number): boolean;
  /** How a call ended that came back for good; null for one that was never finished, or that stopped the run: once the user has acted, it is made again. */
  ended(key: string): 'answered' | Fault | null;
  /** The records that a call was asked about, and when it ended had brought no row for. */
  left(key: string): readonly string[];
  /** What came back from a call that ended well, where that was kept. */
  reply(key: string): string | null;
  /** Attempts made so far at a call that has not ended, and the errors they met. */
  attempts(key: string): { readonly n: number; readonly lastError: string | null };
  /** Resolves when the intent is kept for good, with all that was entered before it; only then may the call be made. */
  begin(call: CallIntent): Promise<number>;
  end(callId: number, outcome: CallOutcome, rows: readonly JournalRow[]): void;
  /** Rows that no call brought: what failed on us. */
  enter(rows: readonly JournalRow[]): void;
  /** The moment before which nobody may call, in milliseconds of the clock; 0 when there is none. */
  notBefore(): number;
  waitUntil(moment: number): void;
  totals(): CallTotals;
}
