import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawnEmulator } from '../test/emulator/spawn.ts';
import { startRedis } from '../test/redis.ts';

/**
 * One run in one process against the same run through a queue with 1, 2 and 4 workers: speed, and CPU per call at coordinator, Redis and workers (Linux: read from /proc). All of it shares the cores of
 * this machine. `SMALL=1` is a quick look; `LATENCY_MS=2000` shows whether the queue itself
 * holds calls up where cores are scarce. Targets are for 200 ms and the full size.
 */
const PLACES = 32;
const LATENCY_MS = Number(process.env.LATENCY_MS ?? 200);
const N = process.env.SMALL ? 640 : 2560;
/** A run as small as this costs what starting and scoring cost. */
const N_START = 64;
const TICKS_PER_SECOND = 100;
const SECRET = 'a secret for the bench, long enough';

const folder = mkdtempSync(join(tmpdir(), 'krisis-scale-'));
const redis = await startRedis();
const provider = await spawnEmulator({ latencyMs: LATENCY_MS });
const baseUrl = `${provider.url}/v1`;
const env = {
  ...process.env,
  OPENAI_API_KEY: 'key',
  KRISIS_QUEUE_SECRET: SECRET,
  KRISIS_QUEUE_URL: redis.url,
};
const krisis = (...args: string[]) =>
  spawn(process.execPath, [resolve('bin/krisis.js'), ...args], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });

/** Seconds of CPU that a process has used. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

let files = 0;
async function run(n: number, ...more: string[]) {
  const child = krisis(
    ...[
      'run',
      'ckd/staging',
      '-m',
      'openai/m',
      '--n-records',
      `${n}`,
      '--bootstrap',
      '0',
      '--no-cache',
      '--json',
    ],
    ...['--run', `${files++}.db`, ...more],
  );
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  let cpu = 0;
  const sampling = setInterval(() => {
    try {
      cpu = cpuOf(child.pid!);
    } catch {}
  }, 20);
  const [code] = await once(child, 'close');
  clearInterval(sampling);
  const { ledger, execution } = JSON.parse(stdout);
  if (code !== 0 || ledger.failed > 0)
    throw new Error(`the run ended with ${code}: ${JSON.stringify(ledger)}`);
  return { cpu, seconds: Number(execution.elapsed_seconds) };
}

/** A small run and a large one: their difference is what calls cost. */
async function measure(workers: readonly ChildProcess[], ...more: string[]) {
  const small = await run(N_START, ...more);
  const others = () => [redis.pid(), ...workers.map(({ pid }) => pid!)].map(cpuOf);
  const before = others();
  const large = await run(N, ...more);
  const [server, ...used] = others().map((cpu, i) => cpu - before[i]!);
  const perCall = (cpu: number, n: number) => Math.round((cpu / n) * 1e6);
  return {
    seconds: large.seconds,
    coordinator: perCall(large.cpu - small.cpu, N - N_START),
    redis: perCall(server!, N),
    worker: perCall(
      used.reduce((sum, cpu) => sum + cpu, 0),
      N,
    ),
  };
}

const started: ChildProcess[] = [];
try {
  console.log(
    `${N} calls of ${LATENCY_MS} ms, ${PLACES} places in a process or worker, encrypted; CPU in microseconds per call`,
  );
  const alone = await measure([], '--base-url', baseUrl, '--max-concurrency', `${PLACES}`);
  const row = (name: string, m: typeof alone, of = alone) =>
    console.log(
      `${name.padEnd(12)} ${m.seconds.toFixed(1).padStart(6)} s  ${(of.seconds / m.seconds).toFixed(2)} x   coordinator ${m.coordinator}, Redis ${m.redis}, workers ${m.worker}; load ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} cores`,
    );
  row('one process', alone);
  const found = new Map<number, typeof alone>();
  for (const n of [1, 2, 4]) {
    while (started.length < n) {
      const worker = krisis(
        'ops',
        'worker',
        '-m',
        'openai/m',
        '--base-url',
        baseUrl,
        '--concurrency',
        `${PLACES}`,
      );
      started.push(worker);
    }
    while ((await redis.client.hlen('krisis:workers')) < n) await sleep(100);
    const measured = await measure(started, '--queue', redis.url, '--set', 'endpoint=bench');
    found.set(n, measured);
    row(`${n} worker${n === 1 ? '' : 's'}`, measured, found.get(1));
  }
  const [one, two] = [found.get(1)!, found.get(2)!];
  const target = (what: string, value: number, isMet: boolean, limit: string) =>
    console.log(`${what}: ${value.toFixed(2)} (target ${limit}: ${isMet ? 'met' : 'NOT MET'})`);
  const speedUp = one.seconds / two.seconds;
  target('two workers / one worker', speedUp, speedUp >= 1.85, 'at least 1.85');
  const cost = one.coordinator / alone.coordinator;
  target('coordinator CPU per call / one process', cost, cost <= 1.35, 'at most 1.35');
  const ceiling = (cpu: number) => Math.round(1e6 / cpu);
  const demand = (100 * 64) / 10;
  console.log(
    `ceilings on such a core (computed): coordinator ${ceiling(one.coordinator)} calls/s, Redis ${ceiling(one.redis)} calls/s`,
  );
  console.log(
    `1 million calls (computed): ${(one.coordinator / 60).toFixed(1)} min of coordinator CPU, ${(one.redis / 60).toFixed(1)} min of Redis`,
  );
  console.log(
    `100 workers of 64 places at 10 s a call (computed): ${demand} calls/s, coordinator ${Math.round((demand / ceiling(one.coordinator)) * 100)} %, Redis ${Math.round((demand / ceiling(one.redis)) * 100)} %`,
  );
} finally {
  for (const worker of started) worker.kill('SIGKILL');
  await provider.close();
  await redis.stop();
  rmSync(folder, { recursive: true, force: true });
}
