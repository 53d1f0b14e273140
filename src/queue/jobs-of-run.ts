import type { JobType, Queue } from 'bullmq';
import { connectFor, loadPackages } from './connect.ts';
import { isJobOf, PREFIX } from './protocol.ts';
import { listQueues } from './registry.ts';

const STATES: JobType[] = ['wait', 'prioritized', 'active', 'completed', 'failed', 'delayed'];

/** Every job of a run in a queue, whatever its state. */
export async function jobsOfRun(queue: Queue, run: string): Promise<string[]> {
  const ids = await queue.getRanges(STATES, 0, -1);
  return ids.filter((id) => isJobOf(run, id));
}

/** Removes jobs. Returns the number of those that a worker has under way, which stay. */
async function removeJobs(queue: Queue, ids: readonly string[]): Promise<number> {
  let nUnderWay = 0;
  for (const id of ids) if ((await queue.remove(id).catch(() => 0)) === 0) nUnderWay += 1;
  return nUnderWay;
}

/** Takes all jobs of a run out of every queue. */
export async function clearRun(
  url: string,
  run: string,
): Promise<{ readonly nRemoved: number; readonly nUnderWay: number }> {
  const { Queue } = await loadPackages();
  return connectFor(
    url,
    () => {},
    async (connection) => {
      let nRemoved = 0;
      let nUnderWay = 0;
      for (const name of await listQueues(connection)) {
        const queue = new Queue(name, { connection, prefix: PREFIX, skipMetasUpdate: true });
        queue.on('error', () => {});
        const ids = await jobsOfRun(queue, run);
        const left = await removeJobs(queue, ids);
        nRemoved += ids.length - left;
        nUnderWay += left;
        await queue.close();
      }
      connection.disconnect();
      return { nRemoved, nUnderWay };
    },
  );
}
