import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';

const NAMES = ['redis-server', 'valkey-server'];

/** An installed Redis or Valkey: the one that REDIS_SERVER names, or the first on the path; null where there is none. */
export function findRedis(): string | null {
  const named = process.env.REDIS_SERVER;
  if (named) return existsSync(named) ? named : null;
  const folders = ['/usr/bin', '/usr/local/bin', ...(process.env.PATH ?? '').split(delimiter)];
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(existsSync) ?? null;
}

/** A real Redis with an append-only file, on a port and in a folder of its own. */
export interface TestRedis {
  readonly url: string;
  readonly folder: string;
  readonly client: Redis;
  /** The number of its process now. */
  pid(): number;
  /** kill -9. */
  kill(): Promise<void>;
  /** Starts it again, with what its file holds. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function startRedis(...settings: readonly string[]): Promise<TestRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'krisis-redis-'));
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
  let child: ChildProcess;
  const restart = async () => {
    child = spawn(findRedis()!, [...args, '--appendonly', 'yes', ...settings], { stdio: 'ignore' });
    for (let i = 0; (await client.ping().catch(() => null)) !== 'PONG'; i++) {
      if (i > 200) throw new Error('Redis did not start');
      await sleep(50);
    }
  };
  const client = new Redis(url, { retryStrategy: () => 50, maxRetriesPerRequest: 1 });
  client.on('error', () => {});
  const kill = async () => {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  await restart();
  return {
    url,
    folder,
    client,
    pid: () => child.pid!,
    kill,
    restart,
    async stop() {
      client.disconnect();
      if (child.exitCode === null && child.signalCode === null) await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
