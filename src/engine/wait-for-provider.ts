import { Interrupted, RunStopped } from '../transports/transport.ts';
import type { CallContext, CallRequest } from './call-request.ts';
import { realClock } from './pacing/clock.ts';
import type { Permit } from './pacing/pacer.ts';
import { addTokens } from './token-sums.ts';

const DEFAULT_MAX_RETRY_AFTER = 3600;

/** Milliseconds until a call may be made. */
export function millisecondsToWait(context: Pick<CallContext, 'journal' | 'waits' | 'backend'>): number {
  const { journal, waits, backend } = context;
  const shared = waits && backend.destination ? waits.left(backend.destination.host) : 0;
  return Math.max(journal.wait.left(), shared);
}

/** The longest wait in milliseconds that a run sits out. */
export function longestWait({
  maxRetryAfterSeconds = DEFAULT_MAX_RETRY_AFTER,
}: Pick<CallContext, 'maxRetryAfterSeconds'>): number {
  return maxRetryAfterSeconds * 1000;
}

/** Waits until the provider accepts calls again, and until the pacer lets this one start. */
export async function waitToStart(
  { estimate }: CallRequest,
  context: CallContext,
): Promise<Permit | undefined> {
  const { pacer, signal } = context;
  await waitForProvider(context);
  if (signal?.aborted) throw new Interrupted('stopped before the call');
  if (pacer === undefined) return undefined;
  let permit: Permit;
  try {
    permit = await pacer.enter(pacer.countsTokens ? addTokens(estimate()) : 0, signal);
  } catch (cause) {
    throw new Interrupted('stopped while waiting to start', { cause });
  }
  await undoOnThrow(
    () => permit.done('other', 0),
    () => waitForProvider(context),
  );
  return permit;
}

/** Waits until the provider accepts calls again. */
export async function waitForProvider(context: CallContext): Promise<void> {
  for (let left = millisecondsToWait(context); left > 0; left = millisecondsToWait(context)) {
    stopOnLongWait(context);
    context.onWait?.(left / 1000, 'turn');
    await pause(left, context.signal);
  }
}

/** A wait of hours is the user's to decide on, and may be an error of the provider. */
export function stopOnLongWait(context: CallContext): void {
  const left = millisecondsToWait(context);
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

/** Waits, unless the run is stopped. */
export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  if (milliseconds <= 0) return;
  try {
    await realClock.sleep(milliseconds, signal);
  } catch (cause) {
    throw new Interrupted('stopped while waiting', { cause });
  }
}

/** Does the work, and calls `undo` when it throws. */
export async function undoOnThrow<T>(undo: () => void, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    undo();
    throw error;
  }
}
