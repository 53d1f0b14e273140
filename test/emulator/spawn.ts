import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { RecordedRequest } from './desk.ts';
import type { EmulatorOptions } from './options.ts';
import type { EmulatorStats } from './tally.ts';

/** Options that survive JSON. */
export type SpawnOptions = Omit<EmulatorOptions, 'latencyMs'> & { readonly latencyMs?: number };

export interface SpawnedEmulator {
  readonly url: string;
  stats(): Promise<EmulatorStats>;
  requests(): Promise<readonly RecordedRequest[]>;
  reset(): Promise<void>;
  close(): Promise<void>;
}

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

/** The emulator in a process of its own, which ends with this one at the latest. */
export async function spawnEmulator(options: SpawnOptions = {}): Promise<SpawnedEmulator> {
  const child = spawn(process.execPath, [main, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const line = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  if (line.done) throw new Error(`the emulator did not start: ${main} ended with ${(await exited)[0]}`);
  const { url } = JSON.parse(line.value) as { url: string };
  const get = async <T>(path: string) => (await (await fetch(url + path)).json()) as T;
  return {
    url,
    stats: () => get('/stats'),
    requests: () => get('/requests'),
    async reset() {
      await (await fetch(`${url}/reset`, { method: 'POST' })).text();
    },
    async close() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
