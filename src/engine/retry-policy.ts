import { isTemporaryFault } from '../core/fault.ts';
import type { Backend } from '../models/backend.ts';
import type { BackendError } from '../models/backend-error.ts';
import type { CallSettings } from '../store/call.ts';

const DEFAULT_RETRIES = 3;
const DEFAULT_BASE_SECONDS = 1;
const DEFAULT_MAX_SECONDS = 60;
/** Waits that a provider asks for do not use up the tries of a call, but there is a limit to them. */
const MAX_REQUESTED_WAITS = 100;
/** A rate limit without Retry-After gets this many times the usual tries: the provider is busy, not broken. */
const RATE_LIMIT_PATIENCE = 3;

/** How often a call to this backend is tried again. */
export function countRetries({ maxRetries = DEFAULT_RETRIES }: Pick<Backend, 'maxRetries'>): number {
  return maxRetries;
}

/** Decides after each fault of one call whether it is tried again. */
export interface Retries {
  /**
   * Seconds to wait before the next try, besides a wait that the provider asked for; null when the call has ended. `errorText` is what is stored of the error. `jobAttempt` is the number of the
   * attempt where it was made in a bulk job, else null.
   */
  secondsAfter(error: BackendError, errorText: string, jobAttempt: number | null): number | null;
}

/**
 * Passing faults are tried again a bounded number of times; the same server error twice in a row ends the call, unless the number of retries was stated; so does any other fault at once: asking again would be paid twice, or could
 * not help. `lastError` is what an earlier process stored of the call's last error: a process that continues after an outage has all tries again. Tries in bulk jobs wait for nothing, and are
 * numbered through all processes.
 */
export function retriesFor(backend: Backend, lastError: string | null): Retries {
  const most = countRetries(backend);
  let last = lastError;
  let tries = 0;
  let rateLimits = 0;
  return {
    secondsAfter({ fault, retryAfterSeconds: requested }, errorText, jobAttempt) {
      const isRepeated = fault === 'server' && last === errorText && backend.maxRetries === undefined;
      last = errorText;
      if (!isTemporaryFault(fault) || isRepeated) return null;
      if (jobAttempt !== null) return jobAttempt >= most ? null : 0;
      const isLimited =
        fault === 'rate_limit' &&
        rateLimits < (requested === null ? most * RATE_LIMIT_PATIENCE : MAX_REQUESTED_WAITS);
      if (!isLimited && tries >= most) return null;
      const seconds = requested === null ? backoff(isLimited ? rateLimits : tries, backend) : 0;
      if (isLimited) rateLimits += 1;
      else tries += 1;
      return seconds;
    },
  };
}

/** Doubles, minus up to half at random, so that many callers do not return at once. Timing only: no result depends on it. */
function backoff(tries: number, backend: Backend): number {
  const most = Math.min(
    backend.retryMaxSeconds ?? DEFAULT_MAX_SECONDS,
    (backend.retryBaseSeconds ?? DEFAULT_BASE_SECONDS) * 2 ** tries,
  );
  return most * (1 - Math.random() / 2);
}

/** Settings that can differ between the calls of a run. */
export function toCallSettings(backend: Backend): CallSettings | null {
  const { settings } = backend;
  if (settings === undefined) return null;
  return {
    ...(settings.maxOutputTokens !== undefined && { max_output_tokens: settings.maxOutputTokens }),
    ...(settings.timeoutSeconds !== undefined && { timeout_seconds: settings.timeoutSeconds }),
    max_retries: countRetries(backend),
  };
}
