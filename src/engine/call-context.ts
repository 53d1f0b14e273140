import type { CallOptions } from './call.ts';
import { turnIn } from './call.ts';
import { createPacer } from './pacing/pacer.ts';
import type { ProgressCounter } from './progress.ts';

export interface LaneOptions
  extends Pick<CallOptions, 'journal' | 'backend' | 'waits' | 'cache' | 'spending' | 'isProtected'> {
  /** Calls at the same time; `auto` grows while all is well and backs off when the provider says so. */
  readonly maxConcurrency: number | 'auto';
  /** Calls, and tokens, a minute at most. */
  readonly requestsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
}

/** What all calls to one backend share: its pace, its health, and who is told. A run with a judge has two. */
export function createLane(options: LaneOptions, counter: ProgressCounter): CallOptions {
  const { journal, backend, waits, cache, spending, isProtected } = options;
  return {
    journal,
    backend,
    waits,
    cache,
    spending,
    isProtected,
    health: { lastSuccess: Number.NEGATIVE_INFINITY },
    pacer: createPacer({
      concurrency: options.maxConcurrency,
      requestsPerMinute: options.requestsPerMinute,
      tokensPerMinute: options.tokensPerMinute,
      hold: () => Math.max(0, turnIn({ journal, waits, backend })),
    }),
    onWait: (seconds, reason) => counter.wait(seconds, reason),
    onFlight: (change) => counter.flight(change),
    onCost: (costUsd) => counter.cost(costUsd),
  };
}
