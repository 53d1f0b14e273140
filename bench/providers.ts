import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type SpawnedEmulator, spawnEmulator } from '../test/emulator/spawn.ts';
import { report } from './fixture.ts';
import { best, type Measured, measuredCount } from './measured-process.ts';

/**
 * What `krisis run` costs over real HTTP, beside a bare undici Pool loop that sends the same number of requests; the start of the process is in both. Single-record calls, 64 at a
 * time, with journaling, parsing and metrics.
 */
const CONCURRENCY = 64;
const folder = mkdtempSync(join(tmpdir(), 'krisis-bench-'));
const root = resolve(import.meta.dirname, '..');
let made = 0;

try {
  await withEmulator({}, async ({ url, ...emulator }) => {
    const bare = await best(3, () => bareLoop(url, 10_000));
    const ours = await best(3, () => run(url, 10_000));
    console.log(
      `10,000 calls at 0 ms: bare ${bare.seconds.toFixed(2)} s, krisis run ${ours.seconds.toFixed(2)} s`,
    );
    await emulator.reset();
    const started = Date.now();
    await run(url, 10_000);
    console.log(
      `time to the first request: ${(((await emulator.stats()).firstAt! - started) / 1000).toFixed(2)} s`,
    );
    report('krisis run / bare loop, 10,000 calls at 0 ms', ours.seconds / bare.seconds, 3);
    report('peak memory of 10,000 calls / 220 MB', ours.megabytes / 220, 1);
    const many = await run(url, 100_000);
    report('100,000 calls / 10,000 calls', many.seconds / ours.seconds, 11);
    report('peak memory of 100,000 calls / 320 MB', many.megabytes / 320, 1);
  });
  await withEmulator({ latencyMs: 200 }, async ({ url }) => {
    const bare = await best(2, () => bareLoop(url, 10_000));
    const ours = await best(2, () => run(url, 10_000));
    console.log(
      `10,000 calls at 200 ms: bare ${bare.seconds.toFixed(2)} s, krisis run ${ours.seconds.toFixed(2)} s`,
    );
    report('krisis run / bare loop, 10,000 calls at 200 ms', ours.seconds / bare.seconds, 1.03);
  });
  await withEmulator({ rateLimit: { perSecond: 200, burst: 20, header: 'seconds' } }, async ({ url }) => {
    const n = 10_000;
    const ours = await run(url, n);
    report(`a provider of 200 calls a second: time / ideal, ${n} calls`, ours.seconds / (n / 200), 1.3);
  });
} finally {
  rmSync(folder, { recursive: true });
}

async function withEmulator(
  options: Parameters<typeof spawnEmulator>[0],
  work: (emulator: SpawnedEmulator) => Promise<void>,
) {
  const emulator = await spawnEmulator(options);
  try {
    await work(emulator);
  } finally {
    await emulator.close();
  }
}

async function bareLoop(url: string, n: number): Promise<Measured> {
  return measuredCount(['bench/bare-loop.ts', url, String(n), String(CONCURRENCY)], root, n);
}

async function run(url: string, n: number): Promise<Measured> {
  const args = [
    // As bin/krisis.js has it.
    '--max-semi-space-size=16',
    join(root, 'bench/run-streamed.ts'),
    url,
    String(n),
    String(CONCURRENCY),
    join(folder, `${++made}.db`),
  ];
  return measuredCount(args, folder, n);
}
