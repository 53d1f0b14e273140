import { isWorthSplitting } from '../core/index.ts';
import type { CallMode, CallOutcome, CallTotals } from './journal.ts';

/** Calls that ended alike, with their sums. */
export interface FinishedCalls
  extends Pick<CallOutcome, 'modelId' | 'inputTokens' | 'outputTokens' | 'wastedTokens' | 'costUsd'> {
  readonly n: number;
  readonly outcome: Exclude<CallOutcome['outcome'], 'not_sent'>;
  readonly problem: string | null;
  readonly mode: CallMode;
  /** These are 0 or 1, and null where there is no error to look at. */
  readonly isBatch: number;
  readonly isRateLimit: number | null;
  readonly cached: number;
  readonly oldestCacheHit: number | null;
  readonly isAtReserve: number | null;
}

type Nullable = 'inputTokens' | 'outputTokens' | 'costUsd';

/** Sums over finished calls. Tokens are null when no call reported any. */
export function totalsOf(finished: Iterable<FinishedCalls>, latencies: readonly number[] = []): CallTotals {
  const totals = {
    calls: 0,
    retries: 0,
    splits: 0,
    singleFallbacks: 0,
    wastedTokens: 0,
    rateLimits: 0,
    settledAtReserve: 0,
    replies: 0,
    cacheHits: 0,
  };
  const known: Record<Nullable, number | null> = { inputTokens: null, outputTokens: null, costUsd: null };
  const modelIds = new Set<string>();
  let oldestCacheHit: number | null = null;
  for (const calls of finished) {
    const { n, outcome } = calls;
    if (calls.modelId !== null) modelIds.add(calls.modelId);
    if (outcome === 'answered') totals.replies += n;
    if (calls.cached) {
      totals.cacheHits += n;
      const { oldestCacheHit: oldest } = calls;
      if (oldest !== null) oldestCacheHit = Math.min(oldest, oldestCacheHit ?? oldest);
      continue;
    }
    totals.calls += n;
    if (outcome === 'retry') totals.retries += n;
    else if (outcome !== 'answered' && calls.isBatch && isWorthSplitting(outcome, calls.problem))
      totals.splits += n;
    if (calls.isRateLimit) totals.rateLimits += n;
    if (calls.isAtReserve) totals.settledAtReserve += n;
    if (calls.mode === 'single') totals.singleFallbacks += n;
    totals.wastedTokens += calls.wastedTokens;
    for (const key of Object.keys(known) as Nullable[])
      if (calls[key] !== null) known[key] = (known[key] ?? 0) + calls[key];
  }
  return { ...totals, ...known, latencies, modelIds: [...modelIds], oldestCacheHit };
}
