import { setTimeout as sleep } from 'node:timers/promises';
import type { JobType, Queue } from 'bullmq';
import { type Connection, connectFor, loadPackages } from './connect.ts';
import { isJobOf, PREFIX } from './protocol.ts';
import { listQueues } from './registry.ts';

const BLOCK_MS = 10_000;
const RETRY_MS = 500;

/** What became of jobs, all in one go: the text of a result, or that a job failed, is still open, or is missing in the queue. */
export async function lookUp(connection: Connection, queue: string, ids: readonly string[]) {
  const pipeline = connection.pipeline();
  for (const id of ids) pipeline.hmget(`${PREFIX}:${queue}:${id}`, 'timestamp', 'returnvalue', 'finishedOn');
  const replies = (await pipeline.exec()) ?? [];
  return ids.map((_, i) => readState(replies[i]?.[1] as readonly (string | null)[] | undefined));
}

function readState(fields: readonly (string | null)[] | undefined) {
  const [timestamp = null, returned = null, finished = null] = fields ?? [];
  if (returned !== null && finished !== null) return { kind: 'finished' as const, text: returned };
  if (finished !== null) return { kind: 'failed' as const };
  return { kind: timestamp === null ? ('missing' as const) : ('open' as const) };
}

/** The data of a job as stored; null where there is no such job. */
export function readData(connection: Connection, queue: string, id: string): Promise<string | null> {
  return connection.hget(`${PREFIX}:${queue}:${id}`, 'data');
}

const REPLACE = `if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HSET', KEYS[1], 'data', ARGV[1]) end return 1`;

/** Replaces the data of a job, which keeps its place in the queue. */
export async function replaceData(
  connection: Connection,
  queue: string,
  id: string,
  data: object,
): Promise<void> {
  await connection.eval(REPLACE, 1, `${PREFIX}:${queue}:${id}`, JSON.stringify(data));
}

/**
 * Follows the messages of a queue until `stop` is called. Anyone who can write to the Redis can have written one. BullMQ has a reader of its own, but it
 * ends at the first message that is not valid JSON.
 */
export function followEvents(
  connection: Connection,
  queue: string,
  lastId: string,
  onEvent: (event: Partial<Record<'event' | 'jobId' | 'returnvalue', string>>) => void,
): { stop(): void } {
  let isStopped = false;
  const follow = async () => {
    let id = lastId;
    while (!isStopped) {
      const read = await connection
        .xread('BLOCK', BLOCK_MS, 'STREAMS', `${PREFIX}:${queue}:events`, id)
        .catch(() => sleep(RETRY_MS, null, { ref: false }));
      for (const [eventId, fields] of read?.[0]?.[1] ?? []) {
        id = eventId;
        const pairs = fields.flatMap((field, i) => (i % 2 === 0 ? [[field, fields[i + 1]]] : []));
        onEvent(Object.fromEntries(pairs));
      }
    }
  };
  void follow();
  return {
    stop() {
      isStopped = true;
      connection.disconnect();
    },
  };
}

/** The id of the last event so far. A listener that begins at "now" begins when its first read goes out, which may be after the first jobs have ended. */
export async function lastEventId(connection: Connection, queue: string): Promise<string> {
  const [last] = await connection.xrevrange(`${PREFIX}:${queue}:events`, '+', '-', 'COUNT', 1);
  return last?.[0] ?? '0-0';
}

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
  return connectFor(url, async (connection) => {
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
  });
}
