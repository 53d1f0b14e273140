import type { Connection } from './connect.ts';
import { PREFIX } from './protocol.ts';

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
  if (returned !== null && finished !== null) return { kind: 'finished', text: JSON.parse(returned) };
  if (finished !== null) return { kind: 'failed' };
  return { kind: timestamp === null ? 'missing' : 'open' };
}

/** The id of the last event so far. A listener that begins at "now" begins when its first read goes out, which may be after the first jobs have ended. */
export async function lastEventId(connection: Connection, queue: string): Promise<string> {
  const [last] = await connection.xrevrange(`${PREFIX}:${queue}:events`, '+', '-', 'COUNT', 1);
  return last?.[0] ?? '0-0';
}
