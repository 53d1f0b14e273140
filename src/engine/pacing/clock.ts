import { setTimeout as sleep } from 'node:timers/promises';

/** Time, so that tests can bring their own. */
export interface Clock {
  /** Milliseconds since some fixed moment; never goes back. */
  now(): number;
  /** Rejects when the signal aborts. It may wake a little early: check the clock again. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** The longest a timer can wait: a longer one would fire at once. */
const MAX_TIMER = 2 ** 31 - 1;

export const realClock: Clock = {
  now: () => performance.now(),
  async sleep(milliseconds, signal) {
    const until = performance.now() + milliseconds;
    for (let left = milliseconds; left > 0; left = until - performance.now())
      await sleep(Math.min(left, MAX_TIMER), undefined, { ...(signal && { signal }) });
  },
};
