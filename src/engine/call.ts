import { setTimeout as sleep } from 'node:timers/promises';
import type { TokenUsage } from '../core/index.ts';
import {
  asBackendError,
  type Backend,
  BackendError,
  type BackendResponse,
  isFinalFault,
  isReplyFault,
  type VisibleRecord,
} from '../models/index.ts';
import type {
  CallIntent,
  CallOutcome,
  Journal,
  JournalRow,
  ProviderWaits,
  ResponseCache,
} from '../store/index.ts';
import type { Pacer, Permit } from './pacing/pacer.ts';
import { scrub } from './scrub.ts';
import type { Spending } from './spending.ts';

const DEFAULT_RETRIES = 3;
const DEFAULT_BASE_SECONDS = 1;
const DEFAULT_MAX_SECONDS = 60;
/** A provider that says when to come back is believed: such waits do not use up the tries of a call, but somewhere it must end. */
const MOST_TOLD_WAITS = 100;
/** One that says nothing gets this many times the usual tries: it is busy, not broken. */
const PATIENCE_WITHOUT_WORD = 3;

/** Thrown when no call can succeed until the user does something; what is finished is kept. */
export class RunStopped extends Error {
  override readonly name = 'RunStopped';
  readonly fault: string;
  /** What was finished before, from `Benchmark.run`: a whole result, with the rest as `not_run`. A run file needs none: it keeps everything. */
  result: unknown = null;

  constructor(error: Pick<BackendError, 'fault' | 'message'>) {
    super(error.message);
    this.fault = error.fault;
  }
}

/** Thrown where a call would have been made and the signal said stop. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** What all calls of a run share. */
export interface CallOptions {
  readonly journal: Journal;
  readonly backend: Backend;
  readonly signal?: AbortSignal | undefined;
  readonly pacer?: Pacer | undefined;
  readonly waits?: ProviderWaits | undefined;
  readonly cache?: ResponseCache | undefined;
  readonly spending?: Spending | undefined;
  /** True where nothing that a model or a provider quotes of the records may be kept. */
  readonly isProtected?: boolean | undefined;
  /** When a call last came through, in milliseconds of `performance.now`: tells a provider that is down from a record that it cannot take. */
  readonly health?: { lastSuccess: number };
  /** Told about every wait, and what for: a fault, or `turn` when others were told to wait. */
  readonly onWait?: (seconds: number, reason: string) => void;
  /** Told when records are asked about (more in flight) and when they come back (fewer). */
  readonly onFlight?: (change: number) => void;
  readonly onCost?: (costUsd: number) => void;
}

/** One question. */
export interface Question extends Omit<CallIntent, 'attempt' | 'recordIds'> {
  readonly records: readonly VisibleRecord[];
  readonly ask: () => Promise<readonly BackendResponse[]>;
  readonly toRows: (responses: readonly (BackendResponse | null)[]) => JournalRow[];
  /** What may be kept of a text that the model wrote. */
  readonly keep: (text: string | null) => string | null;
  /** By what its reply is found in the cache; null where it is not to be. */
  readonly cacheKey: string | null;
  readonly estimate: TokenUsage;
  /** True where the reply is kept with the call, because no row holds it. */
  readonly keepsReply?: boolean;
}

/** What came back: rows in the order asked (null where there is none), and the fault, if the call ended in one. */
export interface CallResult {
  readonly responses: readonly (BackendResponse | null)[];
  readonly error: BackendError | null;
}

/**
 * One question, journaled, with the only retry layer there is: passing faults are waited out (as long as the server says, else doubling with jitter) and tried
 * again a bounded number of times; the same server error twice in a row ends it; a reply fault ends it at once, since asking the same again would be paid twice.
 */
export async function makeCall(question: Question, options: CallOptions): Promise<CallResult> {
  const { journal, backend, signal, health } = options;
  const { key, mode, repeat, records, toRows } = question;
  const recordIds = records.map(({ id }) => id);
  const maxRetries = backend.maxRetries ?? DEFAULT_RETRIES;
  let { n: attempt, lastError } = journal.attempts(key);
  const known = question.cacheKey === null ? null : (options.cache?.get(question.cacheKey) ?? null);
  if (known !== null) {
    const callId = await journal.begin({ key, mode, repeat, recordIds, attempt });
    const outcome = { ...outcomeOf('answered', known), cached: true, rawResponse: replyOf(question, known) };
    journal.end(callId, outcome, toRows(known));
    return { responses: known, error: null };
  }
  // Whoever continues a run after an outage gets all tries again; the numbers of the attempts go on.
  let tries = 0;
  let previous = Number.POSITIVE_INFINITY;
  for (let rateLimits = 0; ; attempt++) {
    const permit = await takeTurn(question, options);
    const expected = await reserve(question, options, permit);
    const callId = await journal.begin({ key, mode, repeat, recordIds, attempt });
    // While the intent was written, somebody may have been told to wait.
    try {
      if (turnIn(options) > 0) await waitForTurn(options);
      if (signal?.aborted) throw new Interrupted('stopped before the call');
    } catch (error) {
      permit?.done('other', 0);
      options.spending?.settle(expected, null);
      throw error;
    }
    options.onFlight?.(records.length);
    const started = performance.now();
    const { responses, error } = await attemptOnce(question.ask);
    const latencySeconds = (performance.now() - started) / 1000;
    options.onFlight?.(-records.length);
    const usage = error === null ? sumTokens(responses) : usageOf(error);
    const isKnown = usage.inputTokens !== null || usage.outputTokens !== null;
    permit?.done(
      error === null ? 'ok' : error.fault === 'rate_limit' ? 'rate_limit' : 'other',
      isKnown ? tokensOf(usage) : null,
    );
    const costUsd = isKnown ? (backend.cost?.(usage) ?? null) : null;
    options.spending?.settle(expected, costUsd);
    if (costUsd !== null) options.onCost?.(costUsd);
    const spent = { ...usage, latencySeconds, costUsd };
    if (error === null) {
      if (health) health.lastSuccess = performance.now();
      if (question.cacheKey !== null && !responses.some(({ refused }) => refused))
        options.cache?.put(question.cacheKey, responses);
      const rawResponse = replyOf(question, responses);
      journal.end(callId, { ...outcomeOf('answered', responses), ...spent, rawResponse }, toRows(responses));
      return { responses, error };
    }
    const message = options.isProtected ? scrub(error.message, records) : error.message;
    const errorText = `${error.fault}: ${message}`;
    const { fault } = error;
    const told = error.retryAfterSeconds;
    const isLimited =
      fault === 'rate_limit' &&
      rateLimits < (told === null ? maxRetries * PATIENCE_WITHOUT_WORD : MOST_TOLD_WAITS);
    const giveUp =
      isReplyFault(fault) ||
      isFinalFault(fault) ||
      (!isLimited && tries >= maxRetries) ||
      (fault === 'server' && lastError === errorText);
    if (giveUp) {
      const kept = error.partial;
      const brought = kept.some((response) => response != null);
      const wastedTokens = brought ? 0 : tokensOf(usage);
      const down = isDown(fault, previous, attempt > maxRetries, options);
      journal.end(
        callId,
        {
          ...outcomeOf(down ? 'unreachable' : fault, kept, errorText),
          ...spent,
          wastedTokens,
          rawResponse: question.keep(error.rawResponse),
        },
        toRows(kept),
      );
      if (down)
        throw new RunStopped({
          fault: 'unreachable',
          message: `${message}; no call came through in ${attempt + 1} tries. The same command continues when the provider can be reached again`,
        });
      if (isFinalFault(fault)) throw new RunStopped({ fault, message });
      return { responses: kept, error };
    }
    lastError = errorText;
    previous = started;
    // Everybody who shares the provider waits, and so does a process that continues the run.
    if (told !== null) {
      const moment = Date.now() + told * 1000;
      journal.waitUntil(moment);
      if (backend.destination) options.waits?.waitUntil(backend.destination.host, moment);
    }
    journal.end(
      callId,
      { ...outcomeOf('retry', [], errorText), ...spent, wastedTokens: tokensOf(usage) },
      [],
    );
    const seconds = told === null ? backoff(isLimited ? rateLimits : tries, backend) : 0;
    options.onWait?.(seconds, fault);
    await pause(seconds * 1000, signal);
    if (isLimited) rateLimits += 1;
    else tries += 1;
  }
}

/**
 * Nothing came through since the attempt before: the provider is down, and rows must not be lost to that. A question that an earlier process gave up already, while others come through, is at fault
 * itself.
 */
function isDown(
  fault: string,
  since: number,
  isGivenUpAgain: boolean,
  { backend, health }: CallOptions,
): boolean {
  if (fault !== 'network' && fault !== 'overloaded') return false;
  if (backend.destination === undefined || health === undefined) return false;
  const isAlive = health.lastSuccess > Number.NEGATIVE_INFINITY;
  return health.lastSuccess < since && !(isGivenUpAgain && isAlive);
}

async function reserve(
  { estimate }: Question,
  { spending, backend }: CallOptions,
  permit: Permit | undefined,
): Promise<number> {
  try {
    return (await spending?.reserve(backend.cost?.(estimate) ?? 0)) ?? 0;
  } catch (error) {
    permit?.done('other', 0);
    throw error instanceof BackendError ? new RunStopped(error) : error;
  }
}

/** Waits until nobody was told to wait, and until there is a place. */
async function takeTurn({ estimate }: Question, options: CallOptions): Promise<Permit | undefined> {
  const { pacer, signal } = options;
  await waitForTurn(options);
  if (signal?.aborted) throw new Interrupted('stopped before the call');
  if (pacer === undefined) return undefined;
  let permit: Permit;
  try {
    permit = await pacer.enter(tokensOf(estimate), signal);
  } catch (cause) {
    throw new Interrupted('stopped while waiting for a place', { cause });
  }
  await giveBackOnThrow(permit, () => waitForTurn(options));
  return permit;
}

async function giveBackOnThrow(permit: Permit | undefined, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    permit?.done('other', 0);
    throw error;
  }
}

/** Only what the backend throws is its fault: an error of our own, such as a full disk, must not be taken for one and paid for again. */
async function attemptOnce(
  ask: () => Promise<readonly BackendResponse[]>,
): Promise<{ responses: readonly BackendResponse[]; error: BackendError | null }> {
  try {
    return { responses: await ask(), error: null };
  } catch (thrown) {
    return { responses: [], error: asBackendError(thrown) };
  }
}

/** Milliseconds until anybody may call. */
export function turnIn({
  journal,
  waits,
  backend,
}: Pick<CallOptions, 'journal' | 'waits' | 'backend'>): number {
  const shared = waits && backend.destination ? waits.notBefore(backend.destination.host) : 0;
  return Math.max(journal.notBefore(), shared) - Date.now();
}

async function waitForTurn(options: CallOptions): Promise<void> {
  for (let left = turnIn(options); left > 0; left = turnIn(options)) {
    options.onWait?.(left / 1000, 'turn');
    await pause(left, options.signal);
  }
}

/** The longest a timer can wait; whoever must wait longer looks at the clock again. */
const LONGEST_TIMER = 2 ** 31 - 1;

async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  if (milliseconds <= 0) return;
  try {
    await sleep(Math.min(milliseconds, LONGEST_TIMER), undefined, { ...(signal && { signal }) });
  } catch (cause) {
    throw new Interrupted('stopped while waiting', { cause });
  }
}

/** Doubling, with up to half of it taken off at random, so that many callers do not come back at once. Timing only: no result depends on it. */
function backoff(tries: number, backend: Backend): number {
  const most = Math.min(
    backend.retryMaxSeconds ?? DEFAULT_MAX_SECONDS,
    (backend.retryBaseSeconds ?? DEFAULT_BASE_SECONDS) * 2 ** tries,
  );
  return most * (1 - Math.random() / 2);
}

/** What a call that failed says it took; where it says nothing, what the rows it brought say. */
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

function replyOf(
  { keepsReply, keep }: Question,
  responses: readonly (BackendResponse | null)[],
): string | null {
  return keepsReply ? keep(responses[0]?.rawResponse ?? null) : null;
}

function outcomeOf(
  outcome: CallOutcome['outcome'],
  responses: readonly (BackendResponse | null)[],
  error: string | null = null,
): CallOutcome {
  const modelId = responses.find((response) => response?.modelId !== undefined)?.modelId ?? null;
  return {
    outcome,
    error,
    modelId,
    inputTokens: null,
    outputTokens: null,
    wastedTokens: 0,
    latencySeconds: null,
    costUsd: null,
    cached: false,
    rawResponse: null,
  };
}
