import { setTimeout as sleep } from 'node:timers/promises';
import type { Backend, BackendResponse } from '../backends/backend.ts';
import { asBackendError, type BackendError, isFinalFault, isReplyFault } from '../backends/backend-error.ts';
import type { CallIntent, CallOutcome, Journal, JournalRow } from '../runs/journal.ts';

const DEFAULT_RETRIES = 3;
const DEFAULT_BASE_SECONDS = 1;
const DEFAULT_MAX_SECONDS = 60;

/** Thrown when no call can succeed until the user does something; what is finished is kept. */
export class RunStopped extends Error {
  override readonly name = 'RunStopped';
  readonly fault: string;
  /** What was finished before, from `Benchmark.run`: a whole result, with the rest as `not_run`. A run file needs none: it keeps everything. */
  result: unknown = null;

  constructor(error: BackendError) {
    super(error.message, { cause: error });
    this.fault = error.fault;
  }
}

/** Thrown where a call would have been made and the signal said stop. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

export interface CallOptions {
  readonly journal: Journal;
  readonly backend: Backend;
  readonly signal?: AbortSignal | undefined;
  /** Told about every wait, and what for: a fault, or `turn` when others were told to wait. */
  readonly onWait?: (seconds: number, reason: string) => void;
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
export async function makeCall(
  intent: Omit<CallIntent, 'attempt'>,
  ask: () => Promise<readonly BackendResponse[]>,
  toRows: (responses: readonly (BackendResponse | null)[]) => JournalRow[],
  { journal, backend, signal, onWait }: CallOptions,
): Promise<CallResult> {
  const maxRetries = backend.maxRetries ?? DEFAULT_RETRIES;
  let { n: attempt, lastError } = journal.attempts(intent.key);
  // Whoever continues a run after an outage gets all tries again; the numbers of the attempts go on.
  for (let tries = 0; ; tries++, attempt++) {
    await waitForTurn(journal, signal, onWait);
    if (signal?.aborted) throw new Interrupted('stopped before the call');
    const callId = journal.begin({ ...intent, attempt });
    const started = performance.now();
    const { responses, error } = await attemptOnce(ask);
    if (error === null) {
      const outcome = outcomeOf('answered', null, sumTokens(responses), started, 0, responses);
      journal.end(callId, outcome, toRows(responses));
      return { responses, error };
    }
    const errorText = `${error.fault}: ${error.message}`;
    const giveUp =
      isReplyFault(error.fault) ||
      isFinalFault(error.fault) ||
      tries >= maxRetries ||
      (error.fault === 'server' && lastError === errorText);
    const kept = giveUp ? error.partial : [];
    const usage = usageOf(error);
    const brought = kept.some((response) => response != null);
    const wasted = brought ? 0 : (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
    const outcome = outcomeOf(giveUp ? error.fault : 'retry', errorText, usage, started, wasted, kept);
    if (giveUp) {
      journal.end(callId, outcome, toRows(kept));
      if (isFinalFault(error.fault)) throw new RunStopped(error);
      return { responses: kept, error };
    }
    lastError = errorText;
    const told = error.retryAfterSeconds;
    // Everybody who shares the provider waits, and so does a process that continues the run.
    if (told !== null) journal.waitUntil(Date.now() + told * 1000);
    journal.end(callId, outcome, []);
    const seconds = told === null ? backoff(tries, backend) : 0;
    onWait?.(seconds, error.fault);
    await pause(seconds * 1000, signal);
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

async function waitForTurn(
  journal: Journal,
  signal: AbortSignal | undefined,
  onWait: CallOptions['onWait'],
): Promise<void> {
  for (;;) {
    const left = journal.notBefore() - Date.now();
    if (left <= 0) return;
    onWait?.(left / 1000, 'turn');
    await pause(left, signal);
  }
}

/** The longest a timer can wait; whoever must wait longer looks at the clock again. */
const LONGEST_TIMER = 2 ** 31 - 1;

async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
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
function usageOf({ usage, partial }: BackendError) {
  const said = usage.inputTokens !== null || usage.outputTokens !== null;
  return said ? usage : sumTokens(partial);
}

export function sumTokens(responses: readonly (BackendResponse | null)[]): {
  inputTokens: number | null;
  outputTokens: number | null;
} {
  const sum = (of: (response: BackendResponse) => number | null) => {
    const known = responses.flatMap((response) => (response == null ? [] : [of(response)]));
    return known.reduce((total, tokens) => (tokens == null ? total : (total ?? 0) + tokens), null);
  };
  return {
    inputTokens: sum((response) => response.inputTokens),
    outputTokens: sum((response) => response.outputTokens),
  };
}

function outcomeOf(
  outcome: CallOutcome['outcome'],
  error: string | null,
  usage: { inputTokens: number | null; outputTokens: number | null },
  started: number,
  wastedTokens: number,
  responses: readonly (BackendResponse | null)[],
): CallOutcome {
  const modelId = responses.find((response) => response?.modelId !== undefined)?.modelId ?? null;
  return {
    outcome,
    error,
    ...usage,
    wastedTokens,
    latencySeconds: (performance.now() - started) / 1000,
    modelId,
  };
}
