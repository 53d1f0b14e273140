import type { Clock } from '../src/engine/pacing/clock.ts';

export interface VirtualClock extends Clock {
  /** Lets as much time pass as the work needs. Fails when everybody waits for something that cannot come. */
  run<T>(work: Promise<T>): Promise<T>;
  /** How many sleep now. */
  readonly nSleeping: number;
}

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

/**
 * A clock for tests: it moves only when nobody has anything left to do at the moment it shows, so simulations are exact, repeatable and take no time. With `tick` its timers are
 * as coarse as real ones: they fire at whole ticks.
 */
export function createVirtualClock({ tick = 0 }: { readonly tick?: number } = {}): VirtualClock {
  let now = 0;
  const sleepers = new Set<Sleeper>();
  const wakeFirst = () => {
    let first: Sleeper | null = null;
    for (const sleeper of sleepers) if (first === null || sleeper.until < first.until) first = sleeper;
    if (first === null) throw new Error('everybody waits and nobody sleeps');
    now = Math.max(now, first.until);
    sleepers.delete(first);
    first.wake();
  };
  return {
    now: () => now,
    get nSleeping() {
      return sleepers.size;
    },
    sleep: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        const exact = now + milliseconds;
        const sleeper = { until: tick > 0 ? Math.ceil(exact / tick) * tick : exact, wake: resolve };
        sleepers.add(sleeper);
        const onAbort = () => sleepers.delete(sleeper) && reject(signal?.reason);
        if (signal?.aborted) onAbort();
        else signal?.addEventListener('abort', onAbort, { once: true });
      }),
    async run(work) {
      let isDone = false;
      const settle = () => {
        isDone = true;
      };
      work.then(settle, settle);
      for (;;) {
        // All that follows from this moment has happened when an immediate comes.
        await new Promise((resolve) => setImmediate(resolve));
        if (isDone) return work;
        wakeFirst();
      }
    },
  };
}
