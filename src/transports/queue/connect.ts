import { KrisisError } from '../../core/errors.ts';
import { plainLine } from '../../core/plain-text.ts';
import { isLoopback } from '../../models/api/base-url.ts';
import { optionalPackage } from '../../models/api/providers/provider.ts';

const CONNECT_MS = 10_000;
const MAX_REASON_LENGTH = 200;
const NO_ANSWER =
  'no answer. Does it speak TLS? Addresses with TLS begin with rediss://, others with redis://';

/** Loaded on demand: only workers and runs with a queue need them. */
export async function loadPackages() {
  const what = 'a queue';
  const bullmq = await optionalPackage(what, 'bullmq@6.7.0', () => import('bullmq'));
  const { Redis } = await optionalPackage(what, 'ioredis@6.0.0', () => import('ioredis'));
  return { ...bullmq, Redis };
}

export type Connection = InstanceType<Awaited<ReturnType<typeof loadPackages>>['Redis']>;

/** Reads the address of a Redis. Messages never repeat it: it may hold a password. */
export function queuePlace(url: string) {
  const parsed = URL.parse(url);
  if (parsed === null || !/^rediss?:$/.test(parsed.protocol) || parsed.hostname === '')
    throw new KrisisError(
      'the address of the queue is not a Redis address; expected one such as redis://127.0.0.1:6379',
      {
        code: 'ERR_QUEUE_URL',
      },
    );
  return {
    /** The address as clients read it: `REDISS://` would be a connection without encryption to them. It may hold a password. */
    url: parsed.href,
    host: parsed.host,
    isLoopback: isLoopback(parsed.hostname),
    // The client reads settings from the query, too.
    isEncrypted: parsed.protocol === 'rediss:' && !parsed.searchParams.has('tls'),
  };
}

/**
 * Connects, and refuses a Redis that drops data when its memory is full. Once connected, commands wait for a connection that is lost.
 *
 * @throws KrisisError when it cannot be reached.
 */
export async function connect(
  address: string,
  onNotice: (text: string) => void = () => {},
): Promise<Connection> {
  const { url, host } = queuePlace(address);
  const { Redis } = await loadPackages();
  let lastError = NO_ANSWER;
  const connection = new Redis(url, {
    lazyConnect: true,
    // BullMQ needs it, and a Redis that restarts must not end calls.
    maxRetriesPerRequest: null,
    retryStrategy: (times) => Math.min(times * 50, 1000),
  });
  // Without a listener the process would end on the first refused connection.
  connection.on('error', (error: Error) => {
    lastError = error.message;
  });
  const info = connection.connect().then(() => connection.info());
  const tooLate = Promise.withResolvers<never>();
  const alarm = setTimeout(() => tooLate.reject(new Error(lastError)), CONNECT_MS);
  const text = await Promise.race([info, tooLate.promise])
    .catch((error: Error) => {
      connection.disconnect();
      const why = /^Connection is closed/.test(error.message) ? lastError : error.message;
      throw new KrisisError(`the queue at ${host} cannot be reached: ${inWords(why)}`, {
        code: 'ERR_QUEUE_UNREACHABLE',
        value: host,
      });
    })
    .finally(() => clearTimeout(alarm));
  const policy = /^maxmemory_policy:(\S+)/m.exec(text)?.[1] ?? 'noeviction';
  if (policy !== 'noeviction') {
    connection.disconnect();
    throw new KrisisError(
      `the Redis at ${host} drops data when its memory is full (maxmemory-policy ${policy}); a queue needs noeviction`,
      { code: 'ERR_QUEUE_EVICTS', value: policy },
    );
  }
  if (/^aof_enabled:0/m.test(text))
    onNotice(
      `the Redis at ${host} keeps no append-only file: when it restarts, calls in flight are made again`,
    );
  let isAway = false;
  connection.on('reconnecting', () => {
    if (!isAway) onNotice(`the connection to the queue at ${host} is lost: waiting for it to come back`);
    isAway = true;
  });
  connection.on('ready', () => {
    if (isAway) onNotice(`the queue at ${host} is back`);
    isAway = false;
  });
  return connection;
}

/** Connects for some work, which closes the connection when it is done. Explains a Redis that refuses a command, for lack of rights or because its keys are not of Krisis. */
export async function connectFor<T>(
  address: string,
  work: (connection: Connection) => Promise<T>,
  onNotice?: (text: string) => void,
): Promise<T> {
  const connection = await connect(address, onNotice);
  try {
    return await work(connection);
  } catch (error) {
    connection.disconnect();
    if (!(error instanceof Error && error.name === 'ReplyError')) throw error;
    const { host } = queuePlace(address);
    const why = plainLine(error.message, MAX_REASON_LENGTH);
    throw new KrisisError(`the queue at ${host} refuses a command: ${why}`, {
      code: 'ERR_QUEUE_UNREACHABLE',
      value: host,
    });
  }
}

/** What the client or the server says, for a user who knows neither. */
function inWords(why: string): string {
  if (/RESP type/.test(why)) return 'what answers there is not a Redis';
  if (why.startsWith('NOAUTH')) return 'it needs a password, as in redis://USER:PASSWORD@HOST:PORT';
  if (why.startsWith('WRONGPASS')) return 'it rejected this user and password';
  return why;
}

/** Milliseconds by the clock of Redis: the clocks of workers may differ. */
export async function redisTime(connection: Connection): Promise<number> {
  const [seconds, microseconds] = await connection.time();
  return Number(seconds) * 1000 + Number(microseconds) / 1000;
}
