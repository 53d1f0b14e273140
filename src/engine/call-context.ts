import type { CallContext } from './call.ts';
import { turnIn } from './call.ts';
import { createPacer } from './pacing/pacer.ts';
import type { ProgressCounter } from './progress.ts';

export interface CallContextOptions
  extends Pick<CallContext, 'journal' | 'backend' | 'waits' | 'cache' | 'spending' | 'isProtected'> {
  /** Calls at the same time; `auto` grows while all is well and backs off when the provider says so. */
  readonly maxConcurrency: number | 'auto';
  /** Calls per minute at most. */
  readonly requestsPerMinute?: number | undefined;
  /** Tokens per minute at most. */
  readonly tokensPerMinute?: number | undefined;
}

/** What all calls to one backend share: its pace, its health, and the progress that they count towards. A run with a judge has two contexts. */
export function createCallContext(options: CallContextOptions, counter: ProgressCounter): CallContext {
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
