import type { EvaluationResult, FailureProblem, Fault, TextSpan } from '../core/index.ts';
import type { BackendResponse } from '../models/index.ts';

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
export interface JournalRow
  extends Omit<EvaluationResult, 'groundTruth' | 'metadata' | 'id' | 'urgent' | 'deferralReason' | 'call'>,
    RowTrace {
  readonly recordId: string;
  /** 0 for the first time a record is asked. */
  readonly repeat: number;
  /** Whether the model says that the case is urgent. Default: null. */
  readonly urgent?: boolean | null | undefined;
  /** Why the model deferred, as a code of the task or of the general list. Default: null. */
  readonly deferralReason?: string | null | undefined;
  /** The keys of the answer in the order received. Default: null. */
  readonly replyOrder?: string | null | undefined;
  /** The row's own part of the reply, in UTF-16 code units. Default: the whole reply. */
  readonly replySpan?: TextSpan | null | undefined;
  /** A text that is measured and hashed, but not stored. Default: null. */
  readonly withheld?: string | null | undefined;
  /** The round of asking failed rows again that the row comes from. Default: 0, the first time it was asked. */
  readonly attempt?: number | undefined;
  /** What went wrong. Default: null. */
  readonly problem?: FailureProblem | null | undefined;
  /** The HTTP status of the call that failed. Default: null. */
  readonly status?: number | null | undefined;
  /** The probability of the answer by its tokens. Default: null, where the provider does not give any. */
  readonly tokenConfidence?: number | null | undefined;
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
  /** The most that the call can cost, set aside before it is made. Default: null, when no price is known. */
  readonly reservedUsd?: number | null | undefined;
  /** Settings that are not part of the run's identity. Default: null, for a model without any. */
  readonly settings?: CallSettings | null | undefined;
}

/** How a call was made, as far as it does not make another run. */
export interface CallSettings {
  /** Default: the model's own. */
  readonly max_output_tokens?: number | undefined;
  readonly timeout_seconds?: number | undefined;
  readonly max_retries?: number | undefined;
}

/** How the cost of a call was settled: by the usage that the provider reported, by what was reserved because it reported none that can be true, or as nothing, because it did no work. */
export type CostBasis = 'usage' | 'reserve' | 'nothing';

/** What came of it. `retry`: it failed and will be made again. `not_sent`: the run stopped before the request went out. `answered`, or the fault that ended it. */
export interface CallOutcome {
  readonly outcome: 'answered' | 'retry' | 'not_sent' | Fault;
  /** The fault and what was said of it: `rate_limit: slow down`. */
  readonly error: string | null;
  /** What went wrong, where that is known more exactly than the fault. Default: null. */
  readonly problem?: FailureProblem | null | undefined;
  /** The HTTP status that came back with an error. Default: null. */
  readonly status?: number | null | undefined;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** Tokens that led to no row. */
  readonly wastedTokens: number;
  /** Null for a reply from the cache. */
  readonly latencySeconds: number | null;
  readonly modelId: string | null;
  /** Null where no price is known. */
  readonly costUsd: number | null;
  /** What came back; null where every row of the call holds its own text. */
  readonly rawResponse: string | null;
  /** A reply that is measured and hashed, but not stored. Default: null. */
  readonly withheld?: string | null | undefined;
  /** Default: null, when no price is known. */
  readonly costBasis?: CostBasis | null | undefined;
  /** When a reply from the cache was given, in seconds since 1970: nothing was asked, and nothing paid. Null for a call that was made. */
  readonly cachedAt: number | null;
  /** Who made the call, where several processes share a run. Default: null, the process that wrote the run. */
  readonly worker?: string | null | undefined;
  /** How the call was made: `http`, `queue` or `bulk`. Default: null, for a reply from the cache and for a backend that does not say. */
  readonly via?: string | null | undefined;
}

/** What went wrong with a call. */
export interface CallFailure {
  readonly fault: Fault;
  readonly problem: FailureProblem;
  readonly status: number | null;
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
  /** What settled calls cost; null when no call had a price. */
  readonly costUsd: number | null;
  /** Calls whose cost is what was set aside for them, because the provider reported no usage that can be true. */
  readonly settledAtReserve: number;
  /** Replies from the cache, which are not among the calls. */
  readonly cacheHits: number;
  /** When the oldest of them was given, in seconds since 1970; null where there are none, or the file does not say. */
  readonly oldestCacheHit: number | null;
  /** Calls that were answered, and replies from the cache. */
  readonly replies: number;
}
