import type { EmulatorOptions } from './options.ts';
import { type RetryAfter, retryAfter } from './retry-after.ts';
import { tokenBucket } from './token-bucket.ts';
import type { Problem } from './wire-format.ts';

export interface TurnedAway {
  readonly problem: Problem;
  readonly retryAfter?: RetryAfter;
}

const AUTH = {
  missing: 'missing_key',
  invalid: 'invalid_key',
  forbidden: 'forbidden',
  quota: 'quota',
  unknown_model: 'unknown_model',
} as const;

/** What is decided before anybody looks at the prompt: by the account, the number of the request and the clock. */
export function createGate({ auth = 'ok', quotaAfter, storm, rateLimit }: EmulatorOptions) {
  const bucket = rateLimit && tokenBucket(rateLimit.perSecond, rateLimit.burst ?? 1);

  return (number: number, now: number): TurnedAway | null => {
    if (auth !== 'ok') return { problem: { kind: AUTH[auth] } };
    if (quotaAfter !== undefined && number >= quotaAfter) return { problem: { kind: 'quota' } };
    if (storm && number >= storm.from && number < storm.to)
      return wait(retryAfter(rateLimit?.header ?? 'seconds', storm.retryAfterSeconds, now), 429);
    if (!bucket) return null;
    const seconds = bucket.take(now);
    if (seconds === 0) return null;
    const { header = 'seconds', minSeconds = 0, status = 429 } = rateLimit;
    return wait(retryAfter(header, Math.max(seconds, minSeconds), now), status);
  };
}

function wait(announced: RetryAfter, status: number): TurnedAway {
  const kind = status === 429 ? 'rate_limit' : 'overloaded';
  return { problem: { kind, status, waitSeconds: announced.seconds }, retryAfter: announced };
}
