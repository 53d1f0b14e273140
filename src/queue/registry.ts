import { z } from 'zod';
import { plainLine } from '../core/index.ts';
import { type Connection, redisTime } from './connect.ts';
import { PREFIX } from './protocol.ts';

const WORKERS = `${PREFIX}:workers`;
const RUNS = `${PREFIX}:runs`;
const QUEUES = `${PREFIX}:queues`;
/** A worker that has not been heard of for so long is not counted on. */
const LIVE_MS = 15_000;
/** One that has not been heard of for so long is forgotten. */
const FORGET_MS = 3_600_000;
const LONGEST_NAME = 200;

/** Names are shown in terminals and written into run files, and anyone who may write to the Redis can have written them. */
const name = z.string().transform((text) => plainLine(text, LONGEST_NAME));

const entry = z.object({
  id: z.string(),
  name,
  model: name,
  queue: z.string(),
  /** The machine, by its own name. */
  machine: name,
  destination: z.object({ provider: name, host: name, loopback: z.boolean() }),
  places: z.number(),
  busy: z.number(),
  done: z.number(),
  failed: z.number(),
  rateLimits: z.number(),
  version: name,
  /** What the server says about the model that it serves; null where it says nothing. */
  serves: z.record(z.string(), z.unknown()).nullable(),
  /** Milliseconds by the clock of Redis. */
  seen: z.number(),
});

/** What a worker says about itself. */
export type WorkerEntry = z.infer<typeof entry>;

/** A worker in the list, with the seconds since it was last heard of. */
export interface KnownWorker extends WorkerEntry {
  readonly secondsAgo: number;
  readonly isLive: boolean;
}

/** Says that a worker is there, and what it did so far. */
export async function sayWorker(connection: Connection, worker: Omit<WorkerEntry, 'seen'>): Promise<void> {
  const seen = await redisTime(connection);
  await connection
    .multi()
    .hset(WORKERS, worker.id, JSON.stringify({ ...worker, seen }))
    .sadd(QUEUES, worker.queue)
    .exec();
}

export async function forgetWorker(connection: Connection, id: string): Promise<void> {
  await connection.hdel(WORKERS, id);
}

/** Every worker that was heard of within the hour, by name. */
export async function listWorkers(connection: Connection): Promise<KnownWorker[]> {
  const now = await redisTime(connection);
  const known: KnownWorker[] = [];
  for (const [id, text] of Object.entries(await connection.hgetall(WORKERS))) {
    const parsed = entry.safeParse(jsonIn(text));
    const age = parsed.success ? now - parsed.data.seen : FORGET_MS;
    if (!parsed.success || age >= FORGET_MS) await connection.hdel(WORKERS, id);
    else known.push({ ...parsed.data, secondsAgo: Math.max(0, age) / 1000, isLive: age < LIVE_MS });
  }
  return known.sort((a, b) => a.name.localeCompare(b.name) || a.model.localeCompare(b.model));
}

/** Says that a run uses a queue. Returns how many runs use it now. */
export async function sayRun(connection: Connection, queue: string, coordinator: string): Promise<number> {
  const now = await redisTime(connection);
  const key = `${RUNS}:${queue}`;
  const replies = await connection
    .multi()
    .sadd(QUEUES, queue)
    .zadd(key, now, coordinator)
    .zremrangebyscore(key, 0, now - LIVE_MS)
    .zcard(key)
    .pexpire(key, FORGET_MS)
    .exec();
  return Math.max(1, Number(replies?.[3]?.[1] ?? 1));
}

/** Returns how many other runs use the queue. */
export async function forgetRun(connection: Connection, queue: string, coordinator: string): Promise<number> {
  const key = `${RUNS}:${queue}`;
  await connection.zrem(key, coordinator);
  return connection.zcard(key);
}

/** Every queue that was ever used here. */
export async function listQueues(connection: Connection): Promise<string[]> {
  return (await connection.smembers(QUEUES)).sort();
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
