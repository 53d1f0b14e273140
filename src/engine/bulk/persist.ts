import { isTemporaryFault } from '../../core/index.ts';
import { type Backend, BackendError, summaryOf } from '../../models/index.ts';
import { realClock } from '../pacing/clock.ts';
import { Interrupted, RunStopped } from '../run-stopped.ts';

const TRIES = 6;
const MAX_PAUSE_SECONDS = 60;
const STOPPED = 'stopped; bulk jobs continue at the provider';

/** Makes calls around bulk jobs, with patience: what they are about is paid for. */
export async function persist<T>(
  work: () => Promise<T>,
  {
    backend,
    signal,
    isProtected,
  }: { readonly backend: Backend; readonly signal: AbortSignal | undefined; readonly isProtected: boolean },
): Promise<T> {
  for (let tries = 0; ; tries++)
    try {
      if (signal?.aborted) throw new Interrupted(STOPPED);
      return await work();
    } catch (error) {
      if (!(error instanceof BackendError)) throw error;
      if (!isTemporaryFault(error.fault) || tries >= TRIES)
        throw new RunStopped({
          fault: error.fault === 'network' ? 'unreachable' : error.fault,
          message: `${isProtected ? summaryOf(error) : error.message} (bulk job)`,
        });
      const usual = Math.min(MAX_PAUSE_SECONDS, (backend.retryBaseSeconds ?? 1) * 2 ** tries);
      await pauseBetween(error.retryAfterSeconds ?? usual, signal);
    }
}

/** Waits between two calls about bulk jobs. @throws Interrupted when the run is stopped. */
export async function pauseBetween(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await realClock.sleep(seconds * 1000, signal);
  } catch (cause) {
    throw new Interrupted(STOPPED, { cause });
  }
}
