import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { findSuite } from '../src/domains/find-suite.ts';
import { run } from '../src/engine/run.ts';
import { apiBackend } from '../src/models/api/api-backend.ts';
import { createTurns } from '../src/transports/queue/account-pace.ts';
import { queueName } from '../src/transports/queue/protocol.ts';
import { openQueue } from '../src/transports/queue/queue-transport.ts';
import { createRegistry, listWorkers } from '../src/transports/queue/registry.ts';
import { startWorker, type WorkerOptions } from '../src/transports/queue/worker.ts';
import {
  command as commandWithout,
  emulator,
  manifestOf,
  query,
  tableSuite,
  workingFolder,
} from './emulated-run.ts';
import { begin, hastyWorker, killed, SECRET } from './queue-processes.ts';
import { findRedis, startRedis, type TestRedis } from './redis.ts';
import { startTlsProxy } from './tls-proxy.ts';

/** Workers on a real Redis. What is counted is counted at the provider: nothing is lost, and only calls in flight are made again. */
const MODEL = 'openai/m';
const N = 120;

/** The command in this process, with the secret. */
const command = (args: readonly string[], folder: string, env: Readonly<Record<string, string>> = {}) =>
  commandWithout(args, folder, { KRISIS_QUEUE_SECRET: SECRET, ...env });

let redis: TestRedis;
beforeAll(async () => {
  if (findRedis() !== null) redis = await startRedis();
});
afterAll(() => redis?.stop());
beforeEach(() => redis?.client.flushall());

const runArgs = (...more: string[]) => [
  ...['run', 'ckd/staging', '-m', MODEL, '--n-records', `${N}`, '--bootstrap', '0', '--no-cache', '--json'],
  ...more,
];
const queued = (...more: string[]) => runArgs('--queue', redis.url, '--set', 'endpoint=test', ...more);
const rowsIn = (file: string) =>
  query<{ n: number }>(file, "SELECT count(*) AS n FROM rows WHERE state != 'failed'")[0]!.n;
const jobsLeft = async () =>
  (await redis.client.keys('krisis:krisis-*')).filter((key) => /\.\d+(:lock)?$/.test(key));

/** A worker of the command, ready to take calls. */
async function worker(url: string, name: string, env: Record<string, string> = {}, ...more: string[]) {
  const args = [
    'ops',
    'worker',
    '--queue',
    redis.url,
    '-m',
    MODEL,
    '--base-url',
    `${url}/v1`,
    '--name',
    name,
  ];
  const started = begin([...args, '--concurrency', '8', ...more], workingFolder(), env);
  while (!started.said().includes('takes calls') && started.child.exitCode === null) await sleep(20);
  return started;
}

/** A worker in this process, with the key of the others. */
async function workerHere(url: string, more: Partial<WorkerOptions> = {}) {
  vi.stubEnv('OPENAI_API_KEY', 'key');
  const options = { url: redis.url, model: MODEL, secret: SECRET, version: 'test' };
  return startWorker({ ...options, baseUrl: `${url}/v1`, ...more }).finally(() => vi.unstubAllEnvs());
}

/** A run in this process through a lane that looks often. */
async function hastyRun(folder: string, signal?: AbortSignal) {
  const timing = { beatMs: 300, lookAfterMs: 600 };
  const api = { retryBaseSeconds: 0.05 };
  const lane = await openQueue({ url: redis.url, model: MODEL, secret: SECRET, api, timing });
  try {
    const suite = await findSuite('ckd/staging', { nRecords: N });
    const backend = await apiBackend(MODEL, lane.api);
    return await run({
      suite,
      backend,
      batchSize: 1,
      path: join(folder, 'run.db'),
      signal,
    });
  } finally {
    await lane.close();
  }
}

async function atRows(file: string, n: number): Promise<void> {
  for (let i = 0; i < 1000; i++) {
    try {
      if (rowsIn(file) >= n) return;
    } catch {}
    await sleep(10);
  }
  throw new Error(`${file} never had ${n} rows`);
}

describe.skipIf(findRedis() === null)('a run through a queue', () => {
  it('is shared by workers, and its rows and scores are those of one process', async () => {
    const provider = await emulator({ latencyMs: 30, malformedShare: 0.1 });
    const alone = await command(
      runArgs('--base-url', `${provider.url}/v1`, '--batch-size', '4'),
      workingFolder(),
    );
    await provider.reset();
    const [a, b] = [await worker(provider.url, 'a'), await worker(provider.url, 'b')];
    const folder = workingFolder();
    const shared = await command(queued('--batch-size', '4'), folder);
    expect(shared.code, shared.stderr).toBe(0);
    const [one, two] = [JSON.parse(alone.stdout), JSON.parse(shared.stdout)];
    expect([two.ledger, two.metrics]).toEqual([one.ledger, one.metrics]);
    const file = join(folder, two.run_file);
    const by = query<{ via: string; worker: string; n: number }>(
      file,
      'SELECT via, worker, count(*) AS n FROM all_calls GROUP BY via, worker ORDER BY worker',
    );
    expect(by).toMatchObject([
      { via: 'queue', worker: 'a' },
      { via: 'queue', worker: 'b' },
    ]);
    expect(manifestOf(file).workers).toMatchObject([{ name: 'a', loopback: true }, { name: 'b' }]);
    const { workers: rows } = two.execution;
    expect(rows.map(({ worker: name }: { worker: string }) => name)).toEqual(['a', 'b']);
    const sum = (key: string) =>
      rows.reduce((total: number, row: Record<string, number>) => total + row[key]!, 0);
    expect(sum('n_rows')).toBe(two.ledger.n - two.ledger.not_run);
    expect(sum('n_right')).toBe(two.ledger.answered_correct);
    expect(await jobsLeft()).toEqual([]);
    expect(await redis.client.xlen((await redis.client.keys('krisis:*:events'))[0]!)).toBe(0);

    const listed = JSON.parse(
      (await command(['ops', 'workers', '--queue', redis.url, '--json'], folder)).stdout,
    );
    expect(listed.workers).toMatchObject([{ name: 'a', model: MODEL, places: 8, live: true }, { name: 'b' }]);
    a.child.kill('SIGTERM');
    b.child.kill('SIGTERM');
    expect((await Promise.all([a.ended, b.ended])).map(({ code }) => code)).toEqual([0, 0]);
    expect((await command(['ops', 'workers', '--queue', redis.url], folder)).stdout).toContain('no workers');
  });

  it('asks a model that judges its own answers with the settings of each', async () => {
    const provider = await emulator({ record: true });
    const answering = await workerHere(provider.url);
    const folder = workingFolder();
    const { code, stderr } = await command(
      [
        ...['run', 'open/clinical', '-m', MODEL, '--temperature', '0.7', '--judge', MODEL, '--limit', '2'],
        ...[
          '--queue',
          redis.url,
          '--set',
          'endpoint=test',
          '--no-cache',
          '--bootstrap',
          '0',
          '--run',
          'run.db',
        ],
      ],
      folder,
    );
    expect(stderr).not.toMatch(/stopped/i);
    expect([code, manifestOf(join(folder, 'run.db')).identity]).toMatchObject([
      0,
      { parameters: { temperature: 0.7, endpoint: 'test' } },
    ]);
    const temperatures = (await provider.requests()).map(({ body }) => JSON.parse(body!).temperature);
    expect(temperatures.filter((temperature) => temperature === 0.7)).toHaveLength(2);
    expect(temperatures.length).toBeGreaterThan(2);
    await answering.stop();
  });

  it('stops early where one process does, and takes back calls that no worker has begun', async () => {
    const provider = await emulator({ latencyMs: 30 });
    const gate = ['--assert', 'lower(accuracy) >= 0.9', '--stop-early'];
    const alone = await command(runArgs('--base-url', `${provider.url}/v1`, ...gate), workingFolder());
    await worker(provider.url, 'a');
    const shared = await command(queued(...gate), workingFolder());
    const [one, two] = [JSON.parse(alone.stdout), JSON.parse(shared.stdout)];
    expect([one.status, two.status, shared.code]).toEqual(['stopped_early', 'stopped_early', alone.code]);
    expect(two.stop_early.verdicts).toEqual(one.stop_early.verdicts);
    expect(two.ledger.not_run).toBeGreaterThan(0);
    expect(await jobsLeft()).toEqual([]);
  });

  it('loses nothing when a worker is killed: others make its calls in flight again', async () => {
    const provider = await emulator({ latencyMs: 100 });
    const options = { url: redis.url, model: MODEL, baseUrl: `${provider.url}/v1`, concurrency: 6 };
    const first = await hastyWorker({ ...options, name: 'first' });
    await hastyWorker({ ...options, name: 'second' });
    const folder = workingFolder();
    const running = hastyRun(folder);
    await atRows(join(folder, 'run.db'), 30);
    await killed(first);
    const { status, nScored } = await running;
    expect([status, nScored]).toEqual(['complete', N]);
    expect((await provider.stats()).requests).toBeLessThanOrEqual(N + options.concurrency);
  });

  it('takes up the results of a run that was killed, and asks nothing again', async () => {
    const provider = await emulator({ latencyMs: 60 });
    await worker(provider.url, 'a');
    const folder = workingFolder();
    const file = join(folder, 'run.db');
    for (const n of [20, 60]) {
      const { child } = begin(queued('--run', file), folder);
      await atRows(file, n);
      await killed(child);
    }
    await sleep(200);
    const last = await command(queued('--run', file), folder);
    expect(last.code, last.stderr).toBe(0);
    expect(rowsIn(file)).toBe(N);
    expect((await provider.stats()).requests).toBe(N);
    expect(await jobsLeft()).toEqual([]);
  });

  it('survives a Redis that is killed and restarted', async () => {
    const provider = await emulator({ latencyMs: 60 });
    const options = { url: redis.url, model: MODEL, baseUrl: `${provider.url}/v1`, concurrency: 8 };
    await hastyWorker({ ...options, name: 'a' });
    const folder = workingFolder();
    const running = hastyRun(folder);
    for (const n of [20, 60]) {
      await atRows(join(folder, 'run.db'), n);
      await redis.kill();
      await sleep(300);
      await redis.restart();
    }
    const { status, nScored } = await running;
    expect([status, nScored]).toEqual(['complete', N]);
    expect((await provider.stats()).requests).toBeLessThanOrEqual(N + 2 * 2 * options.concurrency);
  });

  it('survives a Redis that forgets everything', async () => {
    const provider = await emulator({ latencyMs: 60 });
    const options = { url: redis.url, model: MODEL, baseUrl: `${provider.url}/v1`, concurrency: 8 };
    await hastyWorker({ ...options, name: 'a' });
    const folder = workingFolder();
    const running = hastyRun(folder);
    for (const n of [20, 60]) {
      await atRows(join(folder, 'run.db'), n);
      await redis.client.flushall();
    }
    const { status, nScored } = await running;
    expect([status, nScored]).toEqual(['complete', N]);
    expect((await provider.stats()).requests).toBeLessThanOrEqual(N + 2 * 2 * options.concurrency);
  });

  it('pauses all workers when the provider asks one to wait', async () => {
    const provider = await emulator({
      latencyMs: 20,
      storm: { from: 40, to: 44, retryAfterSeconds: 2 },
      graceMs: 50,
      noticeMs: 500,
    });
    await worker(provider.url, 'a');
    await worker(provider.url, 'b');
    // Shorter than the pause between two signs of life: workers are there all the time.
    expect((await command(queued('--set', 'queueWait=1s'), workingFolder())).code).toBe(0);
    const { early, byStatus } = await provider.stats();
    expect(byStatus[429]).toBeGreaterThan(0);
    expect(early).toBeLessThanOrEqual(2);
  });

  it('keeps to the calls and tokens a minute that workers of one key allow together', async () => {
    const provider = await emulator({ latencyMs: 5 });
    const measured = async () => {
      await provider.reset();
      expect((await command(queued('--limit', '41'), workingFolder())).code).toBe(0);
      const times = (await provider.requests()).map(({ time }) => time);
      return (Math.max(...times) - Math.min(...times)) / 1000;
    };
    const limited = [
      await worker(provider.url, 'a', {}, '--rpm', '1200'),
      await worker(provider.url, 'b', {}, '--rpm', '1200'),
    ];
    // 2 seconds; 1 if each worker had a limit of its own.
    expect(await measured()).toBeGreaterThan(1.5);
    const [account, ...others] = await redis.client.hkeys('krisis:rates');
    expect([account, others]).toEqual([expect.stringMatching(/ 127\.0\.0\.1:\d+ [0-9a-f]{12} calls$/), []]);
    for (const { child } of limited) await killed(child);
    const { inputTokens, outputTokens } = (await provider.stats()).charged;
    const tokensPerMinute = 30 * (inputTokens + outputTokens);
    const workers = await Promise.all(
      ['c', 'd'].map((name) => workerHere(provider.url, { name, tokensPerMinute })),
    );
    expect(await measured()).toBeGreaterThan(1.5);
    for (const one of workers) await one.stop();
  });

  it('shares waits and limits among workers of one account, and with no others', async () => {
    const connection = redis.client;
    const [one, same, other] = ['host 1', 'host 1', 'host 2'].map((account) =>
      createTurns(connection, account, { requestsPerMinute: 60 }),
    );
    expect(await one!.take(1, 0)).toBe(0);
    expect(await same!.take(1, 0)).toBeGreaterThan(0.5);
    await one!.wait(20);
    expect(await same!.take(1, 0)).toBeGreaterThan(15);
    expect(await other!.take(1, 0)).toBe(0);
  });

  it('stops when workers serve different weights under one name, unless that is allowed', async () => {
    const provider = await emulator();
    const connection = redis.client.duplicate();
    const registry = createRegistry(connection, SECRET);
    const entry = {
      ...{ model: MODEL, queue: queueName(MODEL, SECRET), machine: 'm', places: 1, busy: 0, done: 0 },
      ...{
        failed: 0,
        ignored: 0,
        rateLimits: 0,
        version: 'test',
        destination: { provider: 'openai', host: 'h', loopback: true },
      },
    };
    await registry.sayWorker({ ...entry, id: '1', name: '\u001b[31mgpu-1', serves: { root: 'a' } });
    await registry.sayWorker({ ...entry, id: '2', name: 'gpu-2', serves: { root: 'b' } });
    connection.disconnect();
    await worker(provider.url, 'a');
    const { code, stderr } = await command(queued('--limit', '10'), workingFolder());
    expect([code, stderr]).toEqual([3, expect.stringMatching(/workers serve different models.*: gpu-1 /)]);
    expect(stderr).toContain('add --set mixedWorkers=true');
    const allowed = await command(queued('--limit', '10', '--set', 'mixedWorkers=true'), workingFolder());
    expect(allowed.code, allowed.stderr).toBe(0);
  });

  it('knows what the server of a worker says of its model, also where the environment holds its address', async () => {
    const models = JSON.stringify({ data: [{ id: 'm', root: 'weights-1' }] });
    const server = createServer((_, reply) => reply.end(models)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    vi.stubEnv('OPENAI_COMPATIBLE_BASE_URL', `http://127.0.0.1:${port}/v1`);
    const started = await startWorker({
      url: redis.url,
      model: 'openai-compatible/m',
      secret: SECRET,
      version: 'test',
    });
    vi.unstubAllEnvs();
    const { workers } = await listWorkers(redis.url, SECRET);
    expect(workers).toMatchObject([{ serves: { root: 'weights-1' } }]);
    await started.stop();
    server.close();
  });

  it('goes before a run of low priority, and its worker leaves when it has nothing to do', async () => {
    const provider = await emulator({ latencyMs: 40 });
    const [low, high] = [workingFolder(), workingFolder()];
    const begun = (folder: string, priority: string) =>
      begin(queued('--priority', priority, '--limit', '60', '--run', 'run.db'), folder);
    const runs = [begun(low, 'low'), begun(high, 'high')];
    while ((await jobsLeft()).length < 16) await sleep(20);
    const idle = await worker(provider.url, 'a', {}, '--concurrency', '2', '--idle-exit', '1s');
    const ended = await Promise.all(runs.map((one) => one.ended));
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    const last = (folder: string) =>
      query<{ at: number }>(join(folder, 'run.db'), 'SELECT max(finished_at) AS at FROM all_calls')[0]!.at;
    expect(last(high)).toBeLessThan(last(low));
    const { code, stderr } = await idle.ended;
    expect([code, stderr]).toEqual([0, expect.stringContaining('no calls for 1 s: exiting')]);
  });

  it('stops with exit code 3 when no worker comes, and says what it waits for', async () => {
    const folder = workingFolder();
    const { code, stderr } = await command(queued('--set', 'queueWait=1s'), folder);
    expect([code, stderr]).toEqual([3, expect.stringContaining('waiting for a worker')]);
    expect(stderr).toContain('Stopped: openai/m: no worker');
    expect(await jobsLeft()).toEqual([]);
  });

  it('takes calls back at Ctrl-C that no worker has begun', async () => {
    const folder = workingFolder();
    const { child, ended, said } = begin(queued('--run', 'run.db'), folder);
    while (!said().includes('waiting for a worker')) await sleep(20);
    while ((await jobsLeft()).length < 8) await sleep(20);
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    expect(await jobsLeft()).toEqual([]);
    const outcomes = query(join(folder, 'run.db'), 'SELECT DISTINCT outcome FROM all_calls');
    expect(outcomes).toEqual([{ outcome: 'not_sent' }]);
  });

  it('does not wait at Ctrl-C for calls whose workers are all gone', async () => {
    const provider = await emulator({ latencyMs: 60_000 });
    const options = { url: redis.url, model: MODEL, baseUrl: `${provider.url}/v1`, concurrency: 4 };
    const first = await hastyWorker({ ...options, name: 'a' });
    const interrupt = new AbortController();
    const running = hastyRun(workingFolder(), interrupt.signal);
    while ((await provider.stats()).requests < 4) await sleep(20);
    await killed(first);
    // As if it had not been heard of for long.
    await redis.client.del('krisis:workers');
    interrupt.abort();
    expect((await running).status).toBe('interrupted');
  });

  it('lets a worker leave while Redis is away', async () => {
    const provider = await emulator();
    const started = await workerHere(provider.url, { timing: { beatMs: 300 } });
    await redis.kill();
    const left = await Promise.race([started.stop().then(() => 'left'), sleep(5000, 'waits')]);
    await redis.restart();
    expect(left).toBe('left');
  });

  it('can be cleared of the calls of a run that was killed', async () => {
    const folder = workingFolder();
    const { child } = begin(queued('--run', 'run.db'), folder);
    while ((await jobsLeft()).length < 8) await sleep(20);
    await killed(child);
    const cleared = await command(['ops', 'queue', 'clear', 'run.db', '--queue', redis.url], folder);
    expect(cleared.stdout).toBe('8 calls removed\n');
    expect(await jobsLeft()).toEqual([]);
  });
});

describe.skipIf(findRedis() === null)('krisis judge through a queue', () => {
  it('has stored answers judged by workers, as in one process', async () => {
    const provider = await emulator();
    const folder = workingFolder();
    const made = await command(
      [
        ...[
          'run',
          'open/clinical',
          '--limit',
          '4',
          '-m',
          'baseline/reference',
          '--judge',
          'baseline/lexical',
        ],
        ...['--run', 'run.db'],
      ],
      folder,
    );
    expect(made.code, made.stderr).toBe(0);
    const judged = (...more: string[]) =>
      command(['judge', 'run.db', '--judge', MODEL, '--no-cache', '--json', ...more], folder);
    const alone = await judged('--base-url', `${provider.url}/v1`);
    await worker(provider.url, 'a');
    const shared = await judged('--queue', redis.url, '--set', 'endpoint=test');
    expect([alone.code, shared.code], shared.stderr).toEqual([0, 0]);
    const file = join(folder, 'run.db');
    const by = query(
      file,
      "SELECT via, worker, count(*) AS n FROM all_calls WHERE mode = 'judge' GROUP BY via",
    );
    expect(by).toMatchObject([
      { via: 'http', n: 5 },
      { via: 'queue', worker: 'a', n: 5 },
    ]);
    const verdicts = query(
      file,
      `SELECT DISTINCT record_id, json_extract(outcome, '$.verdicts') FROM judgements WHERE judge = '${MODEL}'`,
    );
    expect(verdicts).toHaveLength(4);
    expect(await jobsLeft()).toEqual([]);
    const both = await judged('--queue', redis.url, '--bulk');
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('--queue and --bulk')]);
  });
});

describe.skipIf(findRedis() === null)('a Redis that cannot be a queue', () => {
  it('is refused when it drops data', async () => {
    await redis.client.config('SET', 'maxmemory-policy', 'allkeys-lru');
    try {
      const opened = openQueue({ url: redis.url, model: MODEL, secret: SECRET, api: {} });
      await expect(opened).rejects.toMatchObject({ code: 'ERR_QUEUE_EVICTS' });
    } finally {
      await redis.client.config('SET', 'maxmemory-policy', 'noeviction');
    }
  });

  it('may give its user the rights in the docs and no others', async () => {
    const [, rights] = /ACL SETUSER krisis on >PASSWORD (.*)/.exec(readFileSync('docs/scaling.md', 'utf8'))!;
    await redis.client.acl('SETUSER', 'krisis', 'on', '>hunter2', ...rights!.split(' '));
    const url = redis.url.replace('//', '//krisis:hunter2@');
    const provider = await emulator();
    const started = begin(
      ['ops', 'worker', '--queue', url, '-m', MODEL, '--base-url', `${provider.url}/v1`],
      workingFolder(),
    );
    while (!started.said().includes('takes calls')) await sleep(20);
    const folder = workingFolder();
    const { code, stderr } = await command(
      [...runArgs('--limit', '20', '--set', 'endpoint=test', '--run', 'run.db'), '--queue', url],
      folder,
    );
    expect([code, stderr]).toEqual([0, 'asking openai/m through the queue\n']);
    expect(started.said()).not.toContain('hunter2');
    expect(readFileSync(join(folder, 'run.db'), 'latin1')).not.toContain('hunter2');
    expect(await redis.client.acl('LOG')).toEqual([]);
  });

  it.each([
    ['workers', (url: string) => ['ops', 'workers', '--queue', url]],
    ['run', (url: string) => [...runArgs('--limit', '2', '--set', 'endpoint=test'), '--queue', url]],
  ])('is named when it refuses a command of krisis %s', async (_, args) => {
    await redis.client.set('krisis:workers', 'not of Krisis');
    const { code, stderr } = await command(args(redis.url), workingFolder());
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/the queue at .* refuses a command: WRONGTYPE/),
    ]);
  });

  it('is named when it cannot be reached, without its password', async () => {
    const url = 'redis://user:hunter2@127.0.0.1:9';
    const opened = openQueue({ url, model: MODEL, secret: SECRET, api: {} });
    await expect(opened).rejects.toMatchObject({
      code: 'ERR_QUEUE_UNREACHABLE',
      message: expect.stringMatching(/^the queue at 127\.0\.0\.1:9 cannot be reached: (?!.*hunter2)/),
    });
  });
});

describe.skipIf(findRedis() === null)('protected data in a queue', () => {
  beforeAll(async () => {
    // The file of the first holds calls that were not protected.
    await redis.stop();
    redis = await startRedis();
  });

  const PATIENTS = Array.from({ length: 12 }, (_, i) => ({
    id: `p${i}`,
    label: i % 2 === 0 ? 'ill' : 'well',
    note: `Quibblewick-${i} bakes marmaladecake`,
  }));
  const args = (suite: string, ...more: string[]) => [
    ...['run', suite, '-m', MODEL, '--set', 'endpoint=test', '--bootstrap', '0', '--json'],
    ...['--queue', redis.url, ...more],
  ];

  it('leave nothing readable in the files of Redis', async () => {
    const provider = await emulator({ latencyMs: 5, echo: true });
    await worker(provider.url, 'a');
    const suite = tableSuite(workingFolder(), PATIENTS);
    const { code, stderr } = await command(args(suite, '--allow-egress', 'queue'), workingFolder());
    expect(code, stderr).toBe(0);
    await redis.client.config('SET', 'appendfsync', 'always');
    const files = readdirSync(redis.folder, { recursive: true, encoding: 'utf8' })
      .map((name) => join(redis.folder, name))
      .filter((path) => statSync(path).isFile());
    const text = files.map((path) => readFileSync(path, 'latin1')).join('');
    expect(text).toContain('krisis:');
    // Not as an assertion on the text: it would be printed.
    expect(
      ['Quibblewick', 'marmaladecake', SECRET, 'You are'].filter((canary) => text.includes(canary)),
    ).toEqual([]);
  });

  it('are refused unless the queue is allowed', async () => {
    const suite = tableSuite(workingFolder(), PATIENTS);
    const { code, stderr } = await command(args(suite), workingFolder());
    expect([code, stderr]).toEqual([2, expect.stringContaining('--allow-egress queue')]);
  });

  it('reach a Redis on another machine over TLS only', async () => {
    // An address of this machine that does not look like one.
    const proxy = await startTlsProxy('0.0.0.0', Number(new URL(redis.url).port));
    const folder = workingFolder();
    writeFileSync(join(folder, 'ca.pem'), proxy.certificate);
    const env = { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') };
    const provider = await emulator();
    try {
      const suite = tableSuite(workingFolder(), PATIENTS);
      const asked = (url: string) => [...args(suite, '--allow-egress', 'queue'), '--queue', url];
      const open = await command(asked(redis.url.replace('127.0.0.1', '0.0.0.0')), folder);
      expect([open.code, open.stderr]).toEqual([
        2,
        expect.stringContaining('is not encrypted; use rediss://'),
      ]);
      // In capitals the client of Redis would not encrypt.
      const url = `REDISS://0.0.0.0:${proxy.port}`;
      const untrusted = await command(asked(url), folder);
      expect([untrusted.code, untrusted.stderr]).toEqual([2, expect.stringContaining('self-signed')]);
      await worker(provider.url, 'a', env, '--queue', url);
      const safe = await begin(asked(url), folder, env).ended;
      expect([safe.code, safe.stderr]).toEqual([
        0,
        'The model sees 1 column: note.\nasking openai/m through the queue\n',
      ]);
      expect((await provider.stats()).requests).toBe(PATIENTS.length);
    } finally {
      proxy.close();
    }
  });

  it('are not sent by a worker to a provider that is not allowed', async () => {
    const started = begin(
      [
        'ops',
        'worker',
        '--queue',
        redis.url,
        '-m',
        MODEL,
        '--base-url',
        'http://provider.invalid/v1',
        '--name',
        'far',
      ],
      workingFolder(),
    );
    while (!started.said().includes('takes calls')) await sleep(20);
    const suite = tableSuite(workingFolder(), PATIENTS);
    const { code, stderr } = await command(args(suite, '--allow-egress', 'queue'), workingFolder());
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining('the worker far would send them to provider.invalid'),
    ]);
    expect(stderr).toContain('add --allow-egress queue,provider.invalid.');
  });
});
