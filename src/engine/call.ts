import {
  isFinalFault,
  isReplyFault,
  isTemporaryFault,
  isWorthSplitting,
  plainLine,
  type TokenUsage,
  withoutText,
} from '../core/index.ts';
import {
  asBackendError,
  type Backend,
  BackendError,
  type BackendResponse,
  type CallMade,
  type CallRef,
  ownError,
  summaryOf,
  type VisibleRecord,
  Withdrawn,
} from '../models/index.ts';
import type {
  CallIntent,
  CallOutcome,
  CallSettings,
  Journal,
  JournalRow,
  ProviderWaits,
  ResponseCache,
} from '../store/index.ts';
import type { BulkLane } from './bulk/bulk-lane.ts';
import { FIRST_CALLS, type FirstCalls } from './first-calls.ts';
import { keptReply, type TextPolicy } from './kept-reply.ts';
import { realClock } from './pacing/clock.ts';
import type { Pacer, Permit } from './pacing/pacer.ts';
import { Interrupted, RunStopped } from './run-stopped.ts';
import { quotes } from './scrub.ts';
import { type Spending, settledCost } from './spending.ts';

export { Interrupted, RunStopped };

const DEFAULT_RETRIES = 3;
const DEFAULT_BASE_SECONDS = 1;
const DEFAULT_MAX_SECONDS = 60;
const DEFAULT_MAX_RETRY_AFTER = 3600;
/** Waits that a provider asks for do not use up the tries of a call, but there is a limit to them. */
const MAX_REQUESTED_WAITS = 100;
/** A rate limit without Retry-After gets this many times the usual tries: the provider is busy, not broken. */
const RATE_LIMIT_PATIENCE = 3;

/** The longest message and the longest name of a model that is taken from a provider. */
const LONGEST_MESSAGE = 600;
const LONGEST_MODEL_ID = 120;

/** What all calls to one backend share. */
export interface CallContext extends TextPolicy {
  readonly journal: Journal;
  readonly backend: Backend;
  /** The id of the run, part of the name of each call. Default: null. */
  readonly runId?: string | null | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly pacer?: Pacer | undefined;
  readonly waits?: ProviderWaits | undefined;
  readonly cache?: ResponseCache | undefined;
  readonly spending?: Spending | undefined;
  /** The longest wait that a provider may ask for; a longer one stops the run. Default: 3600. */
  readonly maxRetryAfterSeconds?: number | undefined;
  /** Where calls wait for the replies of bulk jobs. Default: every call goes out by itself. */
  readonly later?: BulkLane | undefined;
  /** Stops the run when the first calls show that none can succeed. Default: it is not watched for. */
  readonly firstCalls?: FirstCalls | undefined;
  /** When a call last succeeded, in milliseconds of `performance.now`: distinguishes a provider that is down from a record that it cannot process. */
  readonly health?: { lastSuccess: number };
  /** Called for every wait, with its reason: a fault, or `turn` when the provider asked another call to wait. */
  readonly onWait?: (seconds: number, reason: string) => void;
  /** Called when records are sent (more in flight) and when they come back (fewer). */
  readonly onFlight?: (change: number) => void;
  readonly onCost?: (costUsd: number) => void;
  /** Called before a call that came back in an earlier process is made again, because its reply was not stored. */
  readonly onAskedAgain?: (mode: CallIntent['mode']) => void;
}

/** One call: what is asked, and what to make of the reply. */
export interface CallRequest extends Omit<CallIntent, 'attempt' | 'recordIds'> {
  readonly records: readonly VisibleRecord[];
  readonly ask: (call: CallRef) => Promise<readonly BackendResponse[]>;
  readonly toRows: (responses: readonly (BackendResponse | null)[]) => JournalRow[];
  /** Folded words that are not blocked out in a text of the model. Default: none. */
  readonly keep?: ReadonlySet<string> | undefined;
  /** The key of its reply in the cache; null to bypass the cache. */
  readonly cacheKey: string | null;
  readonly estimate: TokenUsage;
  /** The most tokens that the call can take; null where that is not known. */
  readonly most: TokenUsage | null;
  /** True to store the reply with the call, because no row holds it. */
  readonly keepsReply?: boolean;
}

/** What came back: a response for each record (null where there is none), and the fault, if the call ended in one. */
export interface CallResult {
  readonly responses: readonly (BackendResponse | null)[];
  readonly error: BackendError | null;
}

/** Makes one call, or takes its reply from the cache. @throws RunStopped when it, or the first calls of the sitting, show that no call can succeed. */
export async function makeCall(request: CallRequest, context: CallContext): Promise<CallResult> {
  const known = request.cacheKey === null ? null : (context.cache?.get(request.cacheKey) ?? null);
  if (known !== null) return enterCached(known, request, context);
  // Calls of bulk jobs have a trial of their own.
  if (context.later !== undefined) return callUntilEnded(request, context);
  const leave = await firstTurn(request, context);
  try {
    const result = await callUntilEnded(request, context);
    const { error } = result;
    const isUseful = error === null || error.partial.some((response) => response != null);
    leave(isUseful ? 'answered' : failureOf(error, request, context));
    return result;
  } catch (error) {
    leave(null);
    throw error;
  }
}

/** Waits for the outcome of the first calls of a sitting, where there are enough of them already. */
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

async function enterCached(
  known: readonly BackendResponse[],
  request: CallRequest,
  context: CallContext,
): Promise<CallResult> {
  const { journal } = context;
  const { key, mode, repeat, records, toRows } = request;
  const recordIds = records.map(({ id }) => id);
  const callId = await journal.begin({ key, mode, repeat, recordIds, attempt: journal.attempts(key).n });
  const outcome = { ...outcomeOf('answered', known, request, context), cached: true };
  journal.end(callId, outcome, toRows(known));
  return { responses: known, error: null };
}

/** What is stored and shown of an error. */
function messageOf(error: BackendError, { isProtected }: CallContext): string {
  return isProtected ? summaryOf(error) : plainLine(error.message, LONGEST_MESSAGE);
}

/** What a failed call says about the next. A batch is split, and a single record asked by itself, where that may help. */
function failureOf(error: BackendError, { mode, records }: CallRequest, context: CallContext) {
  const { fault, problem, status } = error;
  const isSplit = records.length > 1 || isReplyFault(fault);
  const isLast = mode === 'single' || !isSplit || !isWorthSplitting(fault, problem);
  return { fault, problem, status, message: messageOf(error, context), isLast };
}

/**
 * Makes one call, journaled, with the only retry layer there is: passing faults are waited out (as long as the server says, else doubling with jitter) and tried
 * again a bounded number of times; the same server error twice in a row ends it; any other fault ends it at once: asking again would be paid twice, or could not help.
 */
async function callUntilEnded(request: CallRequest, context: CallContext): Promise<CallResult> {
  const { journal, backend, signal, health } = context;
  const { key, mode, repeat, records, toRows } = request;
  const recordIds = records.map(({ id }) => id);
  const maxRetries = backend.maxRetries ?? DEFAULT_RETRIES;
  let { n: attempt, lastError } = journal.attempts(key);
  const settings = settingsOf(backend);
  // A process that continues after an outage has all tries again; attempts are numbered through all processes.
  let tries = 0;
  let previous = Number.POSITIVE_INFINITY;
  for (let rateLimits = 0; ; attempt++) {
    const exchange = (await exchangeFor(request, attempt, context)) ?? undefined;
    // Providers charge half for requests of bulk jobs.
    const cost = exchange === undefined ? backend.cost : halved(backend.cost);
    const reservedUsd = await reserve(request, { ...context, cost });
    const free = (costUsd: number | null) => context.spending?.settle(reservedUsd ?? 0, costUsd ?? 0);
    const permit = await undoOnThrow(
      () => free(0),
      async () => (exchange === undefined ? takeTurn(request, context) : undefined),
    );
    const giveBack = () => {
      permit?.done('other', 0);
      free(0);
    };
    const callId = await undoOnThrow(giveBack, () =>
      journal.begin({ key, mode, repeat, recordIds, attempt, reservedUsd, settings }),
    );
    // While the intent was written, the provider may have asked another call to wait.
    await undoOnThrow(
      () => {
        giveBack();
        journal.end(callId, { ...outcomeOf('not_sent', [], request, context), ...NOTHING_SPENT }, []);
      },
      async () => {
        if (exchange === undefined && turnIn(context) > 0) await waitForTurn(context);
        if (signal?.aborted) throw new Interrupted('stopped before the call');
      },
    );
    context.onFlight?.(records.length);
    const started = performance.now();
    let made: CallMade | null = null;
    const call = {
      key,
      attempt,
      run: context.runId,
      signal,
      exchange,
      made: (how: CallMade) => (made = how),
    };
    const { responses, error: thrown } = await undoOnThrow(
      () => {
        context.onFlight?.(-records.length);
        giveBack();
        journal.end(callId, { ...outcomeOf('not_sent', [], request, context), ...NOTHING_SPENT }, []);
      },
      () => attemptOnce(request, backend, call),
    );
    const error = thrown && exchange ? itemError(thrown, { key, attempt }, context.later!) : thrown;
    const waited = (performance.now() - started) / 1000;
    context.onFlight?.(-records.length);
    const usage = error === null ? sumTokens(responses) : usageOf(error);
    const isKnown = usage.inputTokens !== null || usage.outputTokens !== null;
    permit?.done(
      error === null ? 'ok' : error.fault === 'rate_limit' ? 'rate_limit' : 'other',
      isKnown ? tokensOf(usage) : null,
    );
    const settled = settledCost(
      {
        usage,
        hasText: error === null && responses.some((reply) => reply.rawResponse && !reply.refused),
        unbilled: error === null ? responses.every(({ unbilled }) => unbilled) : error.unbilled,
      },
      request.most,
      reservedUsd,
      cost,
    );
    const { costUsd } = settled;
    free(costUsd);
    if (costUsd !== null) context.onCost?.(costUsd);
    const spent = { ...usage, ...howMade(made, waited), ...settled };
    if (error === null) {
      if (health) health.lastSuccess = performance.now();
      if (exchange === undefined) context.later?.trialEnded();
      if (request.cacheKey !== null && !responses.some(({ refused }) => refused))
        context.cache?.put(request.cacheKey, responses);
      journal.end(
        callId,
        { ...outcomeOf('answered', responses, request, context), ...spent },
        toRows(responses),
      );
      afterEntry(journal, made);
      return { responses, error };
    }
    const { fault } = error;
    const message = messageOf(error, context);
    const errorText = `${fault}: ${message}`;
    const requested = error.retryAfterSeconds;
    const isLimited =
      fault === 'rate_limit' &&
      rateLimits < (requested === null ? maxRetries * RATE_LIMIT_PATIENCE : MAX_REQUESTED_WAITS);
    const giveUp =
      !isTemporaryFault(fault) ||
      (exchange === undefined ? !isLimited && tries >= maxRetries : attempt >= maxRetries) ||
      (fault === 'server' && lastError === errorText);
    if (giveUp) {
      const kept = error.partial;
      const brought = kept.some((response) => response != null);
      const wastedTokens = brought ? 0 : tokensOf(usage);
      const down = isDown(fault, previous, attempt > maxRetries, context);
      journal.end(
        callId,
        {
          ...outcomeOf(down ? 'unreachable' : fault, kept, request, context, errorText),
          ...spent,
          wastedTokens,
          problem: down ? 'unreachable' : error.problem,
          status: error.status,
          ...keptReply(error.rawResponse, records, context, request.keep),
        },
        toRows(kept),
      );
      afterEntry(journal, made);
      if (down)
        throw new RunStopped({
          fault: 'unreachable',
          message: `${message}; no call succeeded in ${attempt + 1} tries. Run it again to continue once the provider can be reached`,
        });
      if (isFinalFault(fault)) {
        const cause =
          context.isProtected && error.cause !== undefined ? withoutText(error.cause) : error.cause;
        throw new RunStopped({ fault, message, cause });
      }
      context.later?.trialEnded();
      return { responses: kept, error };
    }
    const enterRetry = () =>
      journal.end(
        callId,
        {
          ...outcomeOf('retry', [], request, context, errorText),
          ...spent,
          wastedTokens: tokensOf(usage),
          problem: error.problem,
          status: error.status,
        },
        [],
      );
    lastError = errorText;
    previous = started;
    if (exchange !== undefined) {
      // The next try goes into the next job; there is nobody to wait for.
      enterRetry();
      continue;
    }
    // All runs that share the provider wait, and so does a process that continues this one.
    if (requested !== null) {
      journal.wait(requested * 1000);
      if (backend.destination) context.waits?.wait(backend.destination.host, requested * 1000);
    }
    enterRetry();
    afterEntry(journal, made);
    stopOnLongWait(context);
    const seconds = requested === null ? backoff(isLimited ? rateLimits : tries, backend) : 0;
    context.onWait?.(seconds, fault);
    await pause(seconds * 1000, signal);
    if (isLimited) rateLimits += 1;
    else tries += 1;
  }
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

/** The reply of a bulk job in place of the network, or null where the call goes out by itself. @throws Deferred when the reply is not here yet. */
async function exchangeFor({ key, ask, most }: CallRequest, attempt: number, context: CallContext) {
  if (context.later === undefined) return null;
  const mostUsd = most === null ? null : (context.backend.cost?.(most) ?? null);
  return context.later.exchangeFor({ key, attempt }, (exchange) => ask({ key, attempt, exchange }), mostUsd);
}

function halved(cost: Backend['cost']): Backend['cost'] {
  if (cost === undefined) return undefined;
  return (usage) => {
    const full = cost(usage);
    return full === null ? null : full / 2;
  };
}

/** A request that was refused while others of its job were accepted is at fault itself: its rows fail, and the run goes on. */
function itemError(
  error: BackendError,
  ref: Pick<CallRef, 'key' | 'attempt'>,
  later: BulkLane,
): BackendError {
  if (!isFinalFault(error.fault) || later.isRefusedWhole(ref)) return error;
  const { message, usage, rawResponse, status, problem } = error;
  return ownError('rejected', message, {
    usage,
    rawResponse,
    status,
    problem: problem === error.fault ? 'rejected' : problem,
    unbilled: true,
    summary: summaryOf(error),
  });
}

/** Sets aside the most that the call can cost. Returns null where that is not known. */
async function reserve(
  { most }: CallRequest,
  { spending, signal, cost }: Pick<CallContext, 'spending' | 'signal'> & { readonly cost: Backend['cost'] },
): Promise<number | null> {
  const mostUsd = most === null ? null : (cost?.(most) ?? null);
  try {
    await spending?.reserve(mostUsd ?? 0, signal);
  } catch (error) {
    if (error instanceof BackendError) throw new RunStopped(error);
    throw new Interrupted('stopped while waiting for the budget', { cause: error });
  }
  return mostUsd;
}

/** Settings that can differ between the calls of a run. */
export function settingsOf({ settings, maxRetries = DEFAULT_RETRIES }: Backend): CallSettings | null {
  if (settings === undefined) return null;
  return {
    ...(settings.maxOutputTokens !== undefined && { max_output_tokens: settings.maxOutputTokens }),
    ...(settings.timeoutSeconds !== undefined && { timeout_seconds: settings.timeoutSeconds }),
    max_retries: maxRetries,
  };
}

const NOTHING_SPENT = { costUsd: 0, costBasis: 'nothing' } as const;

/** Waits until the provider accepts calls again, and until the pacer lets this one start. */
async function takeTurn({ estimate }: CallRequest, context: CallContext): Promise<Permit | undefined> {
  const { pacer, signal } = context;
  await waitForTurn(context);
  if (signal?.aborted) throw new Interrupted('stopped before the call');
  if (pacer === undefined) return undefined;
  let permit: Permit;
  try {
    permit = await pacer.enter(tokensOf(estimate), signal);
  } catch (cause) {
    throw new Interrupted('stopped while waiting to start', { cause });
  }
  await undoOnThrow(
    () => permit.done('other', 0),
    () => waitForTurn(context),
  );
  return permit;
}

async function undoOnThrow<T>(undo: () => void, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    undo();
    throw error;
  }
}

/** Only what the backend throws is its fault: an error of Krisis itself, such as a full disk, must not be retried and paid for again. */
async function attemptOnce(
  { ask, records }: CallRequest,
  { name }: Backend,
  call: CallRef,
): Promise<{ responses: readonly BackendResponse[]; error: BackendError | null }> {
  try {
    return { responses: await ask(call), error: null };
  } catch (thrown) {
    if (thrown instanceof Withdrawn) throw new Interrupted('stopped before the call', { cause: thrown });
    return {
      responses: [],
      error: asBackendError(thrown, { backend: name, recordIds: records.map(({ id }) => id) }),
    };
  }
}

/** Lets go of what was kept outside for the case that the outcome is never entered. */
function afterEntry(journal: Journal, made: CallMade | null): void {
  if (made?.entered) journal.afterCommit(made.entered);
}

function howMade(made: CallMade | null, waited: number) {
  const { via = null, worker = null, seconds = waited } = made ?? {};
  return { via, worker, latencySeconds: seconds };
}

/** Milliseconds until a call may be made. */
export function turnIn(context: Pick<CallContext, 'journal' | 'waits' | 'backend'>): number {
  const { journal, waits, backend } = context;
  const shared = waits && backend.destination ? waits.left(backend.destination.host) : 0;
  return Math.max(journal.waitLeft(), shared);
}

/** The longest wait in milliseconds that a run sits out. */
export function longestWait({
  maxRetryAfterSeconds = DEFAULT_MAX_RETRY_AFTER,
}: Pick<CallContext, 'maxRetryAfterSeconds'>): number {
  return maxRetryAfterSeconds * 1000;
}

/** A wait of hours is the user's to decide on, and may be an error of the provider. */
function stopOnLongWait(context: CallContext): void {
  const left = turnIn(context);
  if (left <= longestWait(context)) return;
  const until = new Date(Date.now() + left).toISOString().slice(0, 16).replace('T', ' ');
  const { backend } = context;
  throw new RunStopped({
    fault: 'rate_limit',
    message: `${backend.destination?.host ?? backend.name} asks for no calls until ${until} UTC, longer than a run waits (${duration(longestWait(context))}); run it again then`,
  });
}

function duration(milliseconds: number): string {
  const [amount, unit] =
    milliseconds >= 3_600_000 ? [milliseconds / 3_600_000, 'h'] : [milliseconds / 1000, 's'];
  return `${Math.round(amount * 10) / 10} ${unit}`;
}

async function waitForTurn(context: CallContext): Promise<void> {
  for (let left = turnIn(context); left > 0; left = turnIn(context)) {
    stopOnLongWait(context);
    context.onWait?.(left / 1000, 'turn');
    await pause(left, context.signal);
  }
}

async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  if (milliseconds <= 0) return;
  try {
    await realClock.sleep(milliseconds, signal);
  } catch (cause) {
    throw new Interrupted('stopped while waiting', { cause });
  }
}

/** Doubles, minus up to half at random, so that many callers do not return at once. Timing only: no result depends on it. */
function backoff(tries: number, backend: Backend): number {
  const most = Math.min(
    backend.retryMaxSeconds ?? DEFAULT_MAX_SECONDS,
    (backend.retryBaseSeconds ?? DEFAULT_BASE_SECONDS) * 2 ** tries,
  );
  return most * (1 - Math.random() / 2);
}

/** The usage that a failed call reports; without a report, that of the rows it brought. */
function usageOf({ usage, partial }: BackendError): TokenUsage {
  const said = usage.inputTokens !== null || usage.outputTokens !== null;
  return said ? usage : sumTokens(partial);
}

function tokensOf({ inputTokens, outputTokens }: TokenUsage): number {
  return (inputTokens ?? 0) + (outputTokens ?? 0);
}

export function sumTokens(responses: readonly (BackendResponse | null)[]): TokenUsage {
  let inputTokens: number | null = null;
  let outputTokens: number | null = null;
  for (const response of responses) {
    if (response?.inputTokens != null) inputTokens = (inputTokens ?? 0) + response.inputTokens;
    if (response?.outputTokens != null) outputTokens = (outputTokens ?? 0) + response.outputTokens;
  }
  // Shares of a batch are fractions: their sum is not.
  return { inputTokens: whole(inputTokens), outputTokens: whole(outputTokens) };
}

function whole(sum: number | null): number | null {
  return sum === null ? null : Math.round(sum * 1e6) / 1e6;
}

function outcomeOf(
  outcome: CallOutcome['outcome'],
  responses: readonly (BackendResponse | null)[],
  { keepsReply, records, keep }: CallRequest,
  context: CallContext,
  error: string | null = null,
): CallOutcome {
  const modelId = responses.find((response) => response?.modelId != null)?.modelId ?? null;
  const reply = keepsReply ? (responses[0]?.rawResponse ?? null) : null;
  return {
    outcome,
    error,
    modelId: modelId === null ? null : keptModelId(String(modelId), records, context),
    inputTokens: null,
    outputTokens: null,
    wastedTokens: 0,
    latencySeconds: null,
    costUsd: null,
    cached: false,
    ...keptReply(reply, records, context, keep),
  };
}

const MODEL_ID = /^[\w.:/@-]+$/;

/** The model as the provider names it. A provider can send anything in that place: about protected records only what looks like a name and quotes nothing is kept, else its hash. */
function keptModelId(
  modelId: string,
  records: readonly VisibleRecord[],
  { isProtected, journal, backend }: CallContext,
): string {
  if (!isProtected) return plainLine(modelId, LONGEST_MODEL_ID);
  // What the user asked for reveals nothing, whatever numbers are in it.
  const asked = backend.name.slice(backend.name.indexOf('/') + 1);
  const isName = modelId.length <= LONGEST_MODEL_ID && MODEL_ID.test(modelId);
  return isName && (modelId === asked || !quotes(modelId.replace(asked, ''), records))
    ? modelId
    : `withheld:${journal.textHash(modelId).slice(-16)}`;
}
