import { realClock } from '../pacing/clock.ts';
import { Interrupted } from '../run-stopped.ts';
import { type BulkLane, type BulkOptions, pollPauses } from './bulk-lane.ts';

const DEFAULT_WAIT_SECONDS = 26 * 3600;

/**
 * Walks through the work until nothing waits for a bulk job: every walk reads the replies that are here and gathers the requests that are not, then the jobs are waited for. Returns `waiting`
 * when requests are still with the provider: the same command continues.
 */
export async function inRounds(
  lanes: readonly BulkLane[],
  options: BulkOptions & { readonly signal?: AbortSignal | undefined },
  walk: () => Promise<void>,
): Promise<'done' | 'waiting'> {
  const { signal, detach = false, waitSeconds = DEFAULT_WAIT_SECONDS } = options;
  const until = performance.now() + waitSeconds * 1000;
  const isWaiting = () => lanes.some((lane) => lane.isWaiting);
  const left = () => (isWaiting() ? 'waiting' : 'done');
  try {
    for (const lane of lanes) await lane.recover();
    for (;;) {
      await walk();
      // A walk that was broken off has not read all replies: they stay where they are.
      if (signal?.aborted) return left();
      for (const lane of lanes) await lane.finishWalk();
      if (!isWaiting()) return 'done';
      if (!(await oneEnded(lanes, { ...options, detach }, until))) return 'waiting';
    }
  } catch (error) {
    if (error instanceof Interrupted) return left();
    throw error;
  }
}

/** Waits until a job has ended; false when there is no more time. Whoever leaves after submission still takes in what has ended meanwhile. */
async function oneEnded(
  lanes: readonly BulkLane[],
  options: BulkOptions & { readonly signal?: AbortSignal | undefined },
  until: number,
): Promise<boolean> {
  for (const pause of pollPauses(options)) {
    let hasEnded = false;
    for (const lane of lanes) if (lane.isWaiting) hasEnded = (await lane.look()) || hasEnded;
    if (hasEnded) return true;
    if (options.detach || performance.now() + pause * 1000 > until) return false;
    try {
      await realClock.sleep(pause * 1000, options.signal);
    } catch (cause) {
      throw new Interrupted('stopped; bulk jobs continue at the provider', { cause });
    }
  }
  return false;
}
