import { withoutText } from '../core/errors.ts';
import { isFinalFault, isReplyFault, isWorthSplitting } from '../core/fault.ts';
import type { BackendResponse, CallMade } from '../models/backend.ts';
import type { BackendError } from '../models/backend-error.ts';
import type { Journal } from '../store/run-file.ts';
import { Interrupted, RunStopped } from '../transports/transport.ts';
import { tryCall } from './call-attempt.ts';
import { buildOutcome, describeError } from './call-outcome.ts';
import type { CallContext, CallRequest, CallResult } from './call-request.ts';
import { FIRST_CALLS } from './first-calls.ts';
import { keptReply } from './kept-reply.ts';
import { countRetries, retriesFor } from './retry-policy.ts';
import { addTokens } from './token-sums.ts';
import { pause, stopOnLongWait } from './wait-for-provider.ts';

/** Makes one call, or takes its reply from the cache where the run may read it. @throws RunStopped when it, or the first calls of the session, show that no call can succeed. */
export async function makeCall(request: CallRequest, context: CallContext): Promise<CallResult> {
  const cached = await readCached(request, context);
  if (cached !== null) return enterCached(cached, request, context);
  // Calls of bulk jobs have a trial of their own.
  if (context.transport?.hasTrial) return callUntilEnded(request, context);
  const leave = await firstTurn(request, context);
  try {
    const result = await callUntilEnded(request, context);
    const { error } = result;
    const isUseful = error === null || error.partial.some((response) => response != null);
    leave(isUseful ? 'answered' : classifyFailure(error, request, context));
    return result;
  } catch (error) {
    leave(null);
    throw error;
  }
}

/** Waits for the outcome of the first calls of a session, where there are enough of them already. */
async function firstTurn({ mode, records }: CallRequest, { firstCalls, signal }: CallContext) {
  if (firstCalls === undefined) return () => {};
  const size = mode === 'single' ? 0 : records.length;
  const entered = await firstCalls.enter(size, signal).catch((cause: unknown) => {
    throw new Interrupted('stopped before the call', { cause });
  });
  if (typeof entered === 'function') return entered;
  const { fault, message } = entered;
  throw new RunStopped({
    fault,
    message: `${FIRST_CALLS} calls failed alike before any succeeded: ${message}`,
    isFirstCalls: true,
  });
}

interface CachedResponses {
  readonly responses: readonly BackendResponse[];
  readonly storedAt: number;
}

/** Reads a reply from the cache as if it had just arrived. One that cannot be used is as good as none. */
async function readCached(
  { cacheKey, key, ask }: CallRequest,
  { cache, readsCache = true, journal }: CallContext,
): Promise<CachedResponses | null> {
  const entry = cacheKey !== null && readsCache ? (cache?.get(cacheKey) ?? null) : null;
  if (entry === null) return null;
  try {
    const responses = await ask({ key, attempt: journal.calls.attempts(key).n, cached: entry.reply });
    const isUsable = responses.length > 0 && !responses.some(({ refused }) => refused);
    return isUsable ? { responses, storedAt: entry.storedAt } : null;
  } catch {
    return null;
  }
}

async function enterCached(
  { responses, storedAt }: CachedResponses,
  request: CallRequest,
  context: CallContext,
): Promise<CallResult> {
  const { journal } = context;
  const { key, mode, repeat, records, toRows } = request;
  const recordIds = records.map(({ id }) => id);
  const callId = await journal.calls.begin({
    key,
    mode,
    repeat,
    recordIds,
    attempt: journal.calls.attempts(key).n,
  });
  const outcome = { ...buildOutcome('answered', responses, request, context), cachedAt: storedAt };
  journal.calls.end(callId, outcome, toRows(responses));
  return { responses, error: null };
}

/** What a failed call says about the next. A batch is split, and a single record asked by itself, where that may help. */
function classifyFailure(error: BackendError, { mode, records }: CallRequest, context: CallContext) {
  const { fault, problem, status } = error;
  const isSplit =
    records.length > 1 || isReplyFault(fault) || (fault === 'backend' && !context.backend.answersSingly);
  const isLast = mode === 'single' || !isSplit || !isWorthSplitting(fault, problem);
  return { fault, problem, status, message: describeError(error, context), isLast };
}

/** Makes one call, journaled, with the only retry layer there is: faults are waited out and tried again as {@link retriesFor} decides. */
async function callUntilEnded(request: CallRequest, context: CallContext): Promise<CallResult> {
  const { journal, backend, signal, health } = context;
  const { n: firstAttempt, lastError } = journal.calls.attempts(request.key);
  const retries = retriesFor(backend, lastError);
  let previous = Number.POSITIVE_INFINITY;
  for (let attempt = firstAttempt; ; attempt++) {
    const tried = await tryCall(request, attempt, context);
    const { callId, responses, error, isInJob, usage, spent, made } = tried;
    if (error === null) {
      if (health) health.lastSuccess = performance.now();
      if (!isInJob) context.transport?.callEnded();
      const [reply, ...others] = tried.received;
      const isRefused = responses.some((response) => response?.refused);
      if (request.cacheKey !== null && reply !== undefined && others.length === 0 && !isRefused)
        context.cache?.put(request.cacheKey, reply);
      const outcome = { ...buildOutcome('answered', responses, request, context), ...spent };
      journal.calls.end(callId, outcome, request.toRows(responses));
      afterEntry(journal, made);
      return { responses, error };
    }
    const { fault, problem, status } = error;
    const message = describeError(error, context);
    const errorText = `${fault}: ${message}`;
    const seconds = retries.secondsAfter(error, errorText, isInJob ? attempt : null);
    if (seconds === null) {
      const brought = responses.some((response) => response != null);
      const down = isDown(fault, previous, attempt > countRetries(backend), context);
      journal.calls.end(
        callId,
        {
          ...buildOutcome(down ? 'unreachable' : fault, responses, request, context, errorText),
          ...spent,
          wastedTokens: brought ? 0 : addTokens(usage),
          problem: down ? 'unreachable' : problem,
          httpStatus: status,
          ...keptReply(error.rawResponse, request.records, context, request.keep),
        },
        request.toRows(responses),
      );
      afterEntry(journal, made);
      if (down)
        throw new RunStopped({
          fault: 'unreachable',
          message: `${message}; tried ${attempt === 0 ? 'once' : `${attempt + 1} times`}. Run it again to continue once the provider can be reached`,
        });
      if (isFinalFault(fault)) {
        const cause =
          context.isProtected && error.cause !== undefined ? withoutText(error.cause) : error.cause;
        throw new RunStopped({ fault, message, cause });
      }
      context.transport?.callEnded();
      return { responses, error };
    }
    // All runs that share the provider wait, and so does a process that continues this one. A request of a bulk job waits for the next job only.
    const requested = isInJob ? null : error.retryAfterSeconds;
    if (requested !== null) {
      journal.wait.extend(requested * 1000);
      if (backend.destination) context.waits?.wait(backend.destination.host, requested * 1000);
    }
    const retry = { ...buildOutcome('retry', [], request, context, errorText), ...spent };
    journal.calls.end(callId, { ...retry, wastedTokens: addTokens(usage), problem, httpStatus: status }, []);
    previous = tried.started;
    if (isInJob) continue;
    afterEntry(journal, made);
    stopOnLongWait(context);
    context.onWait?.(seconds, fault);
    await pause(seconds * 1000, signal);
  }
}

/** Lets go of what was kept outside for the case that the outcome is never entered. */
function afterEntry(journal: Journal, made: CallMade | null): void {
  if (made?.entered) journal.afterCommit(made.entered);
}

/**
 * True when no call has succeeded since the previous attempt: the provider is down, and rows must not fail because of that. A call that an earlier process gave up already, while others
 * succeed, is at fault itself.
 */
function isDown(
  fault: string,
  since: number,
  isGivenUpAgain: boolean,
  { backend, health }: CallContext,
): boolean {
  if (fault !== 'network' && fault !== 'overloaded') return false;
  if (backend.destination === undefined || health === undefined) return false;
  const isAlive = health.lastSuccess > Number.NEGATIVE_INFINITY;
  return health.lastSuccess < since && !(isGivenUpAgain && isAlive);
}
