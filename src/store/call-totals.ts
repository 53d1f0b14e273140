import { isWorthSplitting } from '../models/index.ts';
import type { CallMode, CallOutcome, CallTotals } from './journal.ts';

/** Calls that ended alike, with their sums. */
export interface FinishedCalls
  extends Pick<
    CallOutcome,
    'outcome' | 'modelId' | 'inputTokens' | 'outputTokens' | 'wastedTokens' | 'costUsd'
  > {
  readonly n: number;
  readonly mode: CallMode;
  readonly isBatch: boolean;
  readonly isRateLimit: boolean;
  readonly cached: boolean;
}

/** Sums over finished calls. Tokens are null when no call reported any. */
export function totalsOf(finished: Iterable<FinishedCalls>, latencies: readonly number[] = []): CallTotals {
  let n = 0;
  let retries = 0;
  let splits = 0;
  let singleFallbacks = 0;
  let wastedTokens = 0;
  let rateLimits = 0;
  let inputTokens: number | null = null;
  let outputTokens: number | null = null;
  const modelIds = new Set<string>();
  let costUsd: number | null = null;
  let cacheHits = 0;
  for (const calls of finished) {
    if (calls.modelId !== null) modelIds.add(calls.modelId);
    if (calls.cached) {
      cacheHits += calls.n;
      continue;
    }
    n += calls.n;
    if (calls.outcome === 'retry') retries += calls.n;
    else if (calls.outcome !== 'answered' && calls.isBatch && isWorthSplitting(calls.outcome))
      splits += calls.n;
    if (calls.isRateLimit) rateLimits += calls.n;
    if (calls.mode === 'single') singleFallbacks += calls.n;
    if (calls.inputTokens !== null) inputTokens = (inputTokens ?? 0) + calls.inputTokens;
    if (calls.outputTokens !== null) outputTokens = (outputTokens ?? 0) + calls.outputTokens;
    wastedTokens += calls.wastedTokens;
    if (calls.costUsd !== null) costUsd = (costUsd ?? 0) + calls.costUsd;
  }
  return {
    calls: n,
    retries,
    splits,
    singleFallbacks,
    inputTokens,
    outputTokens,
    wastedTokens,
    rateLimits,
    latencies,
    modelIds: [...modelIds],
    costUsd,
    cacheHits,
  };
}
