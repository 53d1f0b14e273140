import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from './connect.ts';
import { PREFIX } from './protocol.ts';

const BLOCK_MS = 10_000;
const RETRY_MS = 500;

/** What became of a job: the text of its result, that it failed, that it is still there, or that the queue does not know it. */
export type JobState =
  | { readonly kind: 'finished'; readonly text: string }
  | { readonly kind: 'failed' | 'open' | 'missing' };

/** Looks jobs up, all in one go. */
export async function lookUp(
  connection: Connection,
  queue: string,
  ids: readonly string[],
): Promise<JobState[]> {
  const pipeline = connection.pipeline();
  for (const id of ids) pipeline.hmget(`${PREFIX}:${queue}:${id}`, 'timestamp', 'returnvalue', 'finishedOn');
  const replies = (await pipeline.exec()) ?? [];
  return ids.map((_, i) => stateOf(replies[i]?.[1] as readonly (string | null)[] | undefined));
}

function stateOf(fields: readonly (string | null)[] | undefined): JobState {
  const [timestamp = null, returned = null, finished = null] = fields ?? [];
  if (returned !== null && finished !== null) return { kind: 'finished', text: returned };
  if (finished !== null) return { kind: 'failed' };
  return { kind: timestamp === null ? 'missing' : 'open' };
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

/** A message that a job ended. Anyone who can write to the Redis can have written it. */
export interface QueueEvent {
  readonly event?: string;
  readonly jobId?: string;
  readonly returnvalue?: string;
}

/**
 * Follows the messages of a queue until `stop` is called. BullMQ has a reader of its own, but it
 * ends at the first message that is not valid JSON.
 */
export function followEvents(
  connection: Connection,
  queue: string,
  lastId: string,
  onEvent: (event: QueueEvent) => void,
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
