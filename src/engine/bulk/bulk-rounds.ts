import { Interrupted } from '../run-stopped.ts';
import type { BulkLane } from './bulk-lane.ts';
import type { BulkOptions } from './bulk-options.ts';
import { pauseBetween } from './persist.ts';

const DEFAULT_WAIT_SECONDS = 26 * 3600;
const DEFAULT_POLL_SECONDS = 30;
const MOST_POLL_SECONDS = 300;

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

/** Waits until a job has ended; false when there is no more time. A command that leaves after submission still takes in jobs that have ended meanwhile. */
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
    await pauseBetween(pause, options.signal);
  }
  return false;
}

/** Pauses between two looks at the jobs. */
function* pollPauses({ pollSeconds = DEFAULT_POLL_SECONDS }: BulkOptions): Generator<number, never> {
  for (let pause = pollSeconds; ; pause = Math.min(Math.max(MOST_POLL_SECONDS, pollSeconds), pause * 1.5))
    yield pause;
}
