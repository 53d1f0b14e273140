import { z } from 'zod';
import { plainLine } from '../../core/plain-text.ts';
import { createSigner } from './cipher.ts';
import { type Connection, connectFor, redisTime } from './connect.ts';
import { isQueueName, PREFIX } from './protocol.ts';

const WORKERS = `${PREFIX}:workers`;
const RUNS = `${PREFIX}:runs`;
const QUEUES = `${PREFIX}:queues`;
/** A worker that has not been heard of for so long is not counted on. */
const LIVE_MS = 15_000;
/** One that has not been heard of for so long is forgotten. */
const FORGET_MS = 3_600_000;
const MAX_NAME = 200;

/** Names are shown in terminals and written into run files. */
const name = z.string().transform((text) => plainLine(text, MAX_NAME));

/** Milliseconds by the clock of Redis. */
const seen = z.number();

const workerEntry = z.object({
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
  /** Calls that were unreadable, expired or used before. */
  ignored: z.number(),
  rateLimits: z.number(),
  version: name,
  /** What the server says about the model that it serves; null where it says nothing. */
  serves: z.record(z.string(), z.unknown()).nullable(),
  seen,
});

const runEntry = z.object({ seen });

/** A worker in the list, with the seconds since it was last heard of. */
export interface KnownWorker extends z.infer<typeof workerEntry> {
  readonly secondsAgo: number;
  readonly isLive: boolean;
}

/**
 * Workers and runs announce themselves in the Redis. Every entry has a MAC over its key, its id and
 * its time. Without the secret, no entry can be added, changed, or made to look new.
 */
export function createRegistry(connection: Connection, secret: string) {
  const signer = createSigner(secret);
  const sign = (key: string, id: string, value: object) => signer.sign(JSON.stringify(value), `${key} ${id}`);
  /** The valid entries of a hash with their ages. Those last seen long ago are deleted. */
  const readEntries = async <T extends { seen: number }>(key: string, schema: z.ZodType<T>) => {
    const now = await redisTime(connection);
    const entries: { readonly value: T; readonly ageMs: number }[] = [];
    const ignored: string[] = [];
    for (const [id, signed] of Object.entries(await connection.hgetall(key))) {
      const text = signer.verify(signed, `${key} ${id}`);
      const parsed = text === null ? null : schema.safeParse(JSON.parse(text));
      // Entries with another secret may belong to others, who delete them.
      if (!parsed?.success) ignored.push(id);
      else if (now - parsed.data.seen >= FORGET_MS) await connection.hdel(key, id);
      else entries.push({ value: parsed.data, ageMs: now - parsed.data.seen });
    }
    return { entries, ignored };
  };
  const countRuns = async (queue: string) =>
    (await readEntries(`${RUNS}:${queue}`, runEntry)).entries.filter(({ ageMs }) => ageMs < LIVE_MS).length;

  return {
    /** Says that a worker is there, and what it did so far. */
    async sayWorker(worker: Omit<z.infer<typeof workerEntry>, 'seen'>): Promise<void> {
      const value = { ...worker, seen: await redisTime(connection) };
      await connection
        .multi()
        .hset(WORKERS, worker.id, sign(WORKERS, worker.id, value))
        .sadd(QUEUES, worker.queue)
        .exec();
    },

    async forgetWorker(id: string): Promise<void> {
      await connection.hdel(WORKERS, id);
    },

    /** Every worker that has the secret and was heard of within the hour, by name, and the entries whose MAC does not fit it. */
    async listWorkers() {
      const { entries, ignored } = await readEntries(WORKERS, workerEntry);
      const workers: KnownWorker[] = entries
        .map(({ value, ageMs }) => ({
          ...value,
          secondsAgo: Math.max(0, ageMs) / 1000,
          isLive: ageMs < LIVE_MS,
        }))
        .sort((a, b) => a.name.localeCompare(b.name) || a.model.localeCompare(b.model));
      return { workers, ignored };
    },

    /** Says that a run uses a queue. Returns how many runs use it now. */
    async sayRun(queue: string, coordinator: string): Promise<number> {
      const key = `${RUNS}:${queue}`;
      const value = { seen: await redisTime(connection) };
      await connection
        .multi()
        .sadd(QUEUES, queue)
        .hset(key, coordinator, sign(key, coordinator, value))
        .pexpire(key, FORGET_MS)
        .exec();
      return Math.max(1, await countRuns(queue));
    },

    /** Returns how many other runs use the queue. */
    async forgetRun(queue: string, coordinator: string): Promise<number> {
      await connection.hdel(`${RUNS}:${queue}`, coordinator);
      return countRuns(queue);
    },
  };
}

/** The workers of the Redis at an address. */
export function listWorkers(url: string, secret: string) {
  return connectFor(url, async (connection) => {
    const list = await createRegistry(connection, secret).listWorkers();
    connection.disconnect();
    return list;
  });
}

/** Every queue that was ever used here. */
export async function listQueues(connection: Connection): Promise<string[]> {
  return (await connection.smembers(QUEUES)).filter(isQueueName).sort();
}
