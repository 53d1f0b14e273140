import { oncePer } from '../core/collections.ts';
import type { PromptMessage } from '../core/text-request.ts';
import type { Backend } from '../models/backend.ts';
import type { CallContext } from './call-request.ts';
import type { TextPolicy } from './kept-reply.ts';
import { nWorkers } from './pacing/concurrency-limit.ts';
import { createPacer, type PacerOptions } from './pacing/pacer.ts';
import type { ProgressCounter } from './progress.ts';
import { longestWait, millisecondsToWait } from './wait-for-provider.ts';

export interface CallContextOptions
  extends Pick<
      CallContext,
      | 'journal'
      | 'backend'
      | 'runId'
      | 'waits'
      | 'cache'
      | 'readsCache'
      | 'spending'
      | 'maxRetryAfterSeconds'
      | keyof TextPolicy
    >,
    Pick<PacerOptions, 'requestsPerMinute' | 'tokensPerMinute'> {
  /** Calls at the same time; `auto` grows while all is well and backs off when the provider says so. */
  readonly maxConcurrency: number | 'auto';
}

/** What all calls to one backend share: its pace, its health, and the progress that they count towards. A run with a judge has two contexts. */
export function createCallContext(options: CallContextOptions, counter: ProgressCounter): CallContext {
  const { maxConcurrency, requestsPerMinute, tokensPerMinute, ...shared } = options;
  return {
    ...shared,
    promptTemplate: declaredTemplate(shared.backend).messages,
    health: { lastSuccess: Number.NEGATIVE_INFINITY },
    pacer: createPacer({
      concurrency: shared.backend.places ? nWorkers(maxConcurrency, shared.backend.places) : maxConcurrency,
      requestsPerMinute,
      tokensPerMinute,
      // A wait that stops the run is met after the line, not in it.
      hold: () => {
        const left = millisecondsToWait(shared);
        return left > longestWait(shared) ? 0 : left;
      },
    }),
    onWait: (seconds, reason) => counter.wait(seconds, reason),
    onFlight: (change) => counter.flight(change),
    onCost: (costUsd) => counter.cost(costUsd),
    onAskedAgain: (mode) => counter.askedAgain(mode),
  };
}

/**
 * The prompt that a backend of the user's own declares for all records; null where it declares none. A copy that is made once, before the backend sees a record: what the backend puts in
 * its place later may be a filled prompt.
 */
export const declaredTemplate = oncePer(
  ({ promptTemplate }: Backend): { readonly messages: readonly PromptMessage[] | null } => ({
    messages: Array.isArray(promptTemplate)
      ? promptTemplate.map(({ role, content }) => ({ role, content: String(content) }))
      : null,
  }),
);
