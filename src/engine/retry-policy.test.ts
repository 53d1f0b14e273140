import { expect, it } from 'vitest';
import { type BackendError, ownError } from '../models/backend-error.ts';
import { defineBackend } from '../models/define-backend.ts';
import { retriesFor } from './retry-policy.ts';

const model = {
  ...defineBackend({ name: 'm', evaluate: () => ({ prediction: null, abstained: true }) }),
  maxRetries: 2,
  retryBaseSeconds: 4,
};

/** What a call does after each of these errors. */
function after(
  errors: readonly BackendError[],
  lastError: string | null = null,
  inJobs = false,
  backend: Parameters<typeof retriesFor>[0] = model,
) {
  const retries = retriesFor(backend, lastError);
  return errors.map((error, attempt) =>
    retries.secondsAfter(error, `${error.fault}: ${error.message}`, inJobs ? attempt : null),
  );
}

const times = (n: number, one: BackendError) => Array.from({ length: n }, () => one);

it('waits longer each time, minus up to half, and ends after the last retry', () => {
  const [first, second, third] = after(times(3, ownError('network', 'reset')));
  expect(first).toBeGreaterThan(2 - 1e-9);
  expect(first).toBeLessThanOrEqual(4);
  expect(second).toBeGreaterThan(4 - 1e-9);
  expect(second).toBeLessThanOrEqual(8);
  expect(third).toBeNull();
});

it('has three times the patience with a rate limit, and more with one that names a wait', () => {
  const silent = after(times(9, ownError('rate_limit', 'slow down')));
  expect(silent.slice(0, 8)).not.toContain(null);
  expect(silent[8]).toBeNull();
  const asked = after(times(103, ownError('rate_limit', 'slow down', { retryAfterSeconds: 1 })));
  expect(asked.indexOf(null)).toBe(102);
  expect(asked[0]).toBe(0);
});

it('ends a call at the same server error twice in a row, also across processes, unless retries were asked for', () => {
  const broken = ownError('server', 'boom');
  const { maxRetries: _, ...usual } = model;
  expect(after([broken, ownError('server', 'other')], null, false, usual)).not.toContain(null);
  expect(after([broken, broken], null, false, usual)[1]).toBeNull();
  expect(after([broken], 'server: boom', false, usual)).toEqual([null]);
  expect(after([broken, broken, broken]).map((wait) => wait === null)).toEqual([false, false, true]);
});

it('ends a call at once when asking again could not help', () => {
  expect(after([ownError('malformed', 'no JSON')])).toEqual([null]);
  expect(after([ownError('auth', 'wrong key')])).toEqual([null]);
});

it('waits for nothing in bulk jobs, and counts attempts through all processes', () => {
  expect(after(times(3, ownError('rate_limit', 'slow down')), null, true)).toEqual([0, 0, null]);
});
