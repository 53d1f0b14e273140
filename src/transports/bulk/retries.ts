import { setTimeout as sleep } from 'node:timers/promises';
import { isTemporaryFault } from '../../core/fault.ts';
import type { Backend } from '../../models/backend.ts';
import { BackendError, summariseError } from '../../models/backend-error.ts';
import { Interrupted, RunStopped } from '../transport.ts';

const MAX_RETRIES = 6;
const MAX_PAUSE_SECONDS = 60;
/** A longer timer would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;
const STOPPED = 'stopped; bulk jobs continue at the provider';

/** Makes calls about bulk jobs. They are retried for long, because the jobs are paid for. */
export async function withRetries<T>(
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
      if (!isTemporaryFault(error.fault) || tries >= MAX_RETRIES)
        throw new RunStopped({
          fault: error.fault === 'network' ? 'unreachable' : error.fault,
          message: `${isProtected ? summariseError(error) : error.message} (bulk job)`,
        });
      const usual = Math.min(MAX_PAUSE_SECONDS, (backend.retryBaseSeconds ?? 1) * 2 ** tries);
      await pauseBetween(error.retryAfterSeconds ?? usual, signal);
    }
}

/** Waits between two calls about bulk jobs. @throws Interrupted when the run is stopped. */
export async function pauseBetween(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(Math.min(seconds * 1000, MAX_TIMER_MS), undefined, { ...(signal && { signal }) });
  } catch (cause) {
    throw new Interrupted(STOPPED, { cause });
  }
}
