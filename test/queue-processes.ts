import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach } from 'vitest';
import type { WorkerOptions } from '../src/transports/queue/worker.ts';
import type { Ran } from './krisis.ts';

const running = new Set<ChildProcess>();
afterEach(async () => {
  for (const child of running) await killed(child);
});

export async function killed(child: ChildProcess): Promise<void> {
  running.delete(child);
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** What the runs and workers of a test share. */
export const SECRET = 'a secret for tests that is long enough';

const ENVIRONMENT = {
  PATH: process.env.PATH,
  HOME: tmpdir(),
  NO_COLOR: '1',
  COLUMNS: '2000',
  OPENAI_API_KEY: 'key',
  KRISIS_QUEUE_SECRET: SECRET,
};

/** The command in a process of its own. It ends with the test. */
export function begin(args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [resolve('bin/krisis.js'), ...args], {
    cwd,
    env: { ...ENVIRONMENT, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended: Promise<Ran> = once(child, 'close').then(([code]) => ({ code, stdout, stderr }));
  return { child, ended, said: () => stderr };
}

/** A worker that is killed without mercy, and whose calls are soon taken over. */
export async function hastyWorker(options: Omit<WorkerOptions, 'version' | 'secret'>): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    [resolve('test/queue-worker.ts'), JSON.stringify({ version: 'test', secret: SECRET, ...options })],
    { env: ENVIRONMENT, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  running.add(child);
  await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  return child;
}
