import { setTimeout as sleep } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { TextRequest } from '../src/core/text-request.ts';
import { createTurns } from '../src/transports/queue/account-pace.ts';
import { createCodec } from '../src/transports/queue/message.ts';
import { PREFIX, queueName } from '../src/transports/queue/protocol.ts';
import { openQueue } from '../src/transports/queue/queue-transport.ts';
import { createRegistry } from '../src/transports/queue/registry.ts';
import { startWorker, type WorkerOptions } from '../src/transports/queue/worker.ts';
import { command, emulator, until, workingFolder } from './emulated-run.ts';
import { begin, SECRET } from './queue-processes.ts';
import { findRedis, startRedis, type TestRedis } from './redis.ts';

/** Someone who can read and write the Redis, but has no secret. What is asked is counted at the provider. */
const MODEL = 'openai/m';
const OTHER_SECRET = 'another secret for tests, long enough';
const RUN = 'the-run';
const N = 8;
const KEY = `${PREFIX}:${queueName(MODEL, SECRET)}`;

let redis: TestRedis;
beforeAll(async () => {
  if (findRedis() !== null) redis = await startRedis();
});
afterAll(() => redis?.stop());
beforeEach(() => redis?.client.flushall());

/** A worker in this process. It leaves with the test. */
async function startTestWorker(url: string, more: Partial<WorkerOptions> = {}) {
  vi.stubEnv('OPENAI_API_KEY', 'key');
  const notices: string[] = [];
  const started = await startWorker({
    ...{ url: redis.url, model: MODEL, baseUrl: `${url}/v1`, secret: SECRET, version: 'test' },
    ...{ timing: { beatMs: 200, lockMs: 1000, stalledMs: 300 }, onNotice: (text) => notices.push(text) },
    ...more,
  }).finally(() => vi.unstubAllEnvs());
  onTestFinished(() => started.stop());
  return { ...started, notices };
}

/** The way of a run through the queue, and how to ask through it. */
async function openTestLane(timing: WorkerOptions['timing'] = {}) {
  const notices: string[] = [];
  const lane = await openQueue({
    ...{ url: redis.url, model: MODEL, secret: SECRET, api: {} },
    timing: { beatMs: 100, lookAfterMs: 300, ...timing },
    onNotice: (text) => notices.push(text),
  });
  onTestFinished(() => lane.close());
  const ask = (n = N, signal?: AbortSignal) =>
    Array.from({ length: n }, (_, i) =>
      lane.api.transport!(questionOf(i), { key: `call-${i}`, attempt: 0, run: RUN, signal }),
    );
  return { close: () => lane.close(), ask, notices };
}

function questionOf(i: number): TextRequest {
  const messages = [{ role: 'user' as const, content: `Case ${i}` }];
  return { messages, template: messages };
}

interface CapturedJob {
  readonly id: string;
  readonly data: object;
}

/** Copies all jobs that are in the queue once there are `n`. */
async function captureJobs(n = N): Promise<CapturedJob[]> {
  const find = () => redis.client.keys(`${KEY}:${RUN}.*`);
  await until('the jobs are in the queue', async () => (await find()).length >= n);
  return Promise.all(
    (await find()).map(async (key) => ({
      id: key.slice(KEY.length + 1),
      data: JSON.parse((await redis.client.hget(key, 'data'))!),
    })),
  );
}

/** Puts jobs into a queue, and waits until a worker has failed them. */
async function putBack(jobs: readonly CapturedJob[], name = queueName(MODEL, SECRET)): Promise<void> {
  const queue = new Queue(name, { connection: { url: redis.url }, prefix: PREFIX });
  for (const { id, data } of jobs) {
    await queue.remove(id);
    await queue.add('call', data, { jobId: id });
  }
  await until('the jobs have failed', async () => (await queue.getFailedCount()) >= jobs.length);
  await queue.clean(0, 1000, 'failed');
  await queue.close();
}

async function forgetUsed(): Promise<void> {
  const keys = await redis.client.keys('krisis:used:*');
  if (keys.length > 0) await redis.client.del(...keys);
}

const texts = async (calls: readonly Promise<{ readonly text: string }>[]) =>
  (await Promise.all(calls)).map(({ text }) => text);

describe('a queue without a secret', () => {
  const cases: [string, string[]][] = [
    ['krisis run', ['run', 'ckd/staging', '-m', MODEL, '--queue', 'redis://127.0.0.1:9', '--run', 'run.db']],
    ['krisis judge', ['judge', 'run.db', '--judge', MODEL, '--queue', 'redis://127.0.0.1:9']],
    ['krisis ops worker', ['ops', 'worker', '-m', MODEL, '--queue', 'redis://127.0.0.1:9']],
    ['krisis ops workers', ['ops', 'workers', '--queue', 'redis://127.0.0.1:9']],
  ];
  it.each(cases)('is refused by %s, which says how to make one', async (_, args) => {
    const { code, stderr } = await command(args, workingFolder());
    expect([code, stderr]).toEqual([2, expect.stringContaining('no queue secret')]);
    expect(stderr).toContain('openssl rand -hex 32 > queue.secret && chmod 600 queue.secret');
    expect(stderr).toContain('export KRISIS_QUEUE_SECRET="$(cat queue.secret)"');
  });

  it('is no better than one with a secret that can be guessed', async () => {
    const short = { KRISIS_QUEUE_SECRET: `${'a'.repeat(31)}\n` };
    const { code, stderr } = await command(cases[0]![1], workingFolder(), short);
    expect([code, stderr]).toEqual([2, expect.stringContaining('has 31 characters; at least 32')]);
  });
});

describe.skipIf(findRedis() === null)('messages that someone else writes', () => {
  it('are ignored and counted: every call ends with the reply of its worker', async () => {
    const provider = await emulator({ latencyMs: 400 });
    const lane = await openTestLane();
    const calls = lane.ask();
    const jobs = await captureJobs();
    const forged = { ok: { text: 'forged', end: 'complete', refusal: null, modelId: null, tokens: null } };
    const answer = { ...forged, usage: { inputTokens: 1, outputTokens: 1 }, worker: 'w', seconds: 0 };
    const send = (...fields: string[]) => redis.client.xadd(`${KEY}:events`, '*', ...fields);
    for (const { id, data } of jobs) {
      const otherCodec = createCodec(OTHER_SECRET, queueName(MODEL, SECRET), RUN);
      const { question } = data as { question: string };
      for (const text of [
        JSON.stringify(JSON.stringify(answer)),
        JSON.stringify(otherCodec.answer(answer as never, id)),
        JSON.stringify(question),
        'not JSON',
        '{',
        'null',
      ])
        await send('event', 'completed', 'jobId', id, 'returnvalue', text);
      await send('event', 'completed', 'jobId', id);
      await send('event', 'failed', 'jobId', id, 'failedReason', 'forged');
    }
    await send('event', 'progress', 'data', '{');
    await startTestWorker(provider.url, { concurrency: N });
    const replies = await texts(calls);
    expect(replies.filter((text) => text.includes('forged'))).toEqual([]);
    expect([replies.length, (await provider.stats()).requests]).toEqual([N, N]);
    await lane.close();
    expect(lane.notices).toContain(`${MODEL}: ${7 * N} unreadable messages on the queue were ignored`);
  });

  it('in place of results make the run ask again, a few times at most', async () => {
    const provider = await emulator();
    const lane = await openTestLane();
    await startTestWorker(provider.url);
    const [reply] = lane.ask(1);
    // Whoever can delete jobs can delay a call, but not forge its reply.
    let nForged = 0;
    const forge = async () => {
      for (const key of await redis.client.keys(`${KEY}:${RUN}.call-0.0`)) {
        await redis.client.del(`${key}:lock`);
        await redis.client.hset(key, 'returnvalue', '"forged"', 'finishedOn', '1', 'failedReason', 'x');
        await redis.client.xtrim(`${KEY}:events`, 'MAXLEN', 0);
        nForged += 1;
      }
    };
    const timer = setInterval(() => void forge(), 1);
    const result = await reply!.then(
      ({ text }) => text,
      (error: Error) => error.message,
    );
    clearInterval(timer);
    expect(nForged).toBeGreaterThan(0);
    expect(result).not.toContain('forged');
    expect((await provider.stats()).requests).toBeLessThanOrEqual(4);
  });
});

describe.skipIf(findRedis() === null)('jobs that someone else writes', () => {
  it('are failed and counted in any form, and the worker stays', async () => {
    const provider = await emulator();
    const worker = await startTestWorker(provider.url, { name: 'gpu-1' });
    const queue = new Queue(queueName(MODEL, SECRET), { connection: { url: redis.url }, prefix: PREFIX });
    const otherCodec = createCodec(OTHER_SECRET, queueName(MODEL, SECRET), RUN);
    const question = { request: questionOf(0), options: {}, allow: null, nonce: 'n', expires: 1e15 };
    const garbage: unknown[] = [
      {},
      null,
      [],
      'text',
      { run: null, question: null },
      { run: RUN, question: {} },
      { run: RUN, sealed: false, question: JSON.stringify(question) },
      { run: RUN, question: otherCodec.question(question as never, `${RUN}.x.0`) },
    ];
    for (const [i, data] of garbage.entries()) await queue.add('call', data, { jobId: `${RUN}.x${i}.0` });
    // What BullMQ itself cannot read.
    for (const field of ['data', 'opts', 'progress']) {
      await redis.client.hset(`${KEY}:${RUN}.${field}.0`, { name: 'call', timestamp: '1', [field]: '{' });
      await redis.client.lpush(`${KEY}:wait`, `${RUN}.${field}.0`);
    }
    await redis.client.lpush(`${KEY}:wait`, `${RUN}.nothing.0`);
    await queue.add('call', {}, { jobId: `${RUN}.last.0` });
    const nJobs = garbage.length + 5;
    const registry = createRegistry(redis.client, SECRET);
    await until('all are counted', async () => (await registry.listWorkers()).workers[0]?.ignored === nJobs);
    expect((await registry.listWorkers()).workers).toMatchObject([{ name: 'gpu-1', isLive: true }]);
    await queue.close();

    const lane = await openTestLane();
    expect(await texts(lane.ask())).toHaveLength(N);
    expect((await provider.stats()).requests).toBe(N);
    await worker.stop();
    expect(worker.notices).toEqual([
      'gpu-1: ignored a call on the queue that could not be read',
      `gpu-1: ignored ${nJobs} of the calls on the queue`,
    ]);
  });

  it('are not asked where they are changed: the run puts its own back', async () => {
    const provider = await emulator();
    const lane = await openTestLane();
    const calls = lane.ask();
    const [first, second] = await captureJobs();
    // Each has the question of the other, or none that can be read.
    await redis.client.hset(`${KEY}:${first!.id}`, 'data', JSON.stringify(second!.data));
    await redis.client.hset(`${KEY}:${second!.id}`, 'data', '{"run":"x"}');
    await startTestWorker(provider.url);
    expect(await texts(calls)).toHaveLength(N);
    expect((await provider.stats()).requests).toBe(N);
  });
});

describe.skipIf(findRedis() === null)('a question that is put back into the queue', () => {
  it('is not asked again: by its worker, by another, after a restart, or for another model', async () => {
    const provider = await emulator();
    const lane = await openTestLane();
    const calls = lane.ask();
    const jobs = await captureJobs();
    const worker = await startTestWorker(provider.url);
    await texts(calls);
    await lane.close();
    const nAsked = async () => (await provider.stats()).requests;
    expect(await nAsked()).toBe(N);
    await putBack(jobs);
    expect(await nAsked()).toBe(N);
    // A worker remembers what it asked, also where the Redis was made to forget.
    await forgetUsed();
    await putBack(jobs);
    expect([await nAsked(), worker.notices]).toEqual([
      N,
      [expect.stringContaining('was made or withdrawn before')],
    ]);
    await worker.stop();
    await startTestWorker(provider.url);
    await putBack(jobs);
    expect(await nAsked()).toBe(N);
    await startTestWorker(provider.url, { model: 'openai/expensive' });
    await forgetUsed();
    await putBack(jobs, queueName('openai/expensive', SECRET));
    expect(await nAsked()).toBe(N);
  });

  it('is not asked after it has expired, even by a worker that knows nothing of it', async () => {
    const provider = await emulator();
    const lane = await openTestLane({ lifetimeMs: 1500 });
    const calls = lane.ask();
    const jobs = await captureJobs();
    const first = await startTestWorker(provider.url);
    await texts(calls);
    await lane.close();
    await first.stop();
    await forgetUsed();
    await sleep(1600);
    const second = await startTestWorker(provider.url);
    await putBack(jobs);
    expect((await provider.stats()).requests).toBe(N);
    expect(second.notices).toEqual([expect.stringContaining('had expired')]);
  });

  it('is not asked where the run withdrew it', async () => {
    const provider = await emulator();
    const lane = await openTestLane();
    const interrupt = new AbortController();
    const calls = lane.ask(N, interrupt.signal);
    const jobs = await captureJobs();
    interrupt.abort();
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    await lane.close();
    await startTestWorker(provider.url);
    await putBack(jobs);
    expect((await provider.stats()).requests).toBe(0);
  });
});

describe.skipIf(findRedis() === null)('a question that waits for long', () => {
  it('is renewed at its place in the queue, and asked once', async () => {
    const provider = await emulator();
    const lane = await openTestLane({ lifetimeMs: 1500 });
    const calls = lane.ask();
    const before = await captureJobs();
    const order = await redis.client.lrange(`${KEY}:wait`, 0, -1);
    await sleep(2500);
    const after = await captureJobs();
    expect(after).not.toEqual(before);
    expect(await redis.client.lrange(`${KEY}:wait`, 0, -1)).toEqual(order);
    const worker = await startTestWorker(provider.url);
    expect(await texts(calls)).toHaveLength(N);
    // The earlier ones were used up when they were replaced.
    await putBack(before);
    expect([(await provider.stats()).requests, worker.notices.length]).toEqual([N, 1]);
  });
});

describe.skipIf(findRedis() === null)('the list of workers', () => {
  it('has only entries whose MAC fits: others are ignored, counted, and left alone', async () => {
    const provider = await emulator();
    await startTestWorker(provider.url, { name: 'true' });
    const [signed] = await redis.client.hvals('krisis:workers');
    const entry = JSON.parse(signed!.slice(signed!.indexOf(' ')));
    const forged = { ...entry, id: 'x', name: 'forged', serves: { root: 'other weights' } };
    await createRegistry(redis.client, OTHER_SECRET).sayWorker(forged);
    await redis.client.hset('krisis:workers', {
      plain: JSON.stringify(forged),
      copied: signed!,
      changed: signed!.replace('"places":32', '"places":99'),
      garbage: '{',
    });
    const runs = `krisis:runs:${queueName(MODEL, SECRET)}`;
    for (let i = 0; i < 50; i++) await redis.client.hset(runs, `run-${i}`, '{"seen":9e15}');
    const lane = await openTestLane();
    expect(await texts(lane.ask())).toHaveLength(N);
    await lane.close();
    expect(lane.notices).toEqual([
      `${MODEL}: 5 entries in the list of workers do not fit the secret and were ignored`,
    ]);
    const { stdout } = await command(['ops', 'workers', '--queue', redis.url, '--json'], workingFolder(), {
      KRISIS_QUEUE_SECRET: SECRET,
    });
    expect(JSON.parse(stdout)).toMatchObject({ workers: [{ name: 'true' }], n_ignored: 5 });
    expect(JSON.parse(stdout).workers).toHaveLength(1);
    expect(Object.keys(await redis.client.hgetall('krisis:workers'))).toHaveLength(6);
  });

  it('has no old entry that looks new', async () => {
    const provider = await emulator();
    const worker = await startTestWorker(provider.url);
    const entries = await redis.client.hgetall('krisis:workers');
    await worker.stop();
    await redis.client.hset('krisis:workers', entries);
    vi.spyOn(redis.client, 'time').mockImplementation(async () => [Math.floor(Date.now() / 1000) + 60, 0]);
    const { workers } = await createRegistry(redis.client, SECRET).listWorkers();
    vi.restoreAllMocks();
    expect(workers).toMatchObject([{ isLive: false }]);
  });
});

describe.skipIf(findRedis() === null)('a worker with another secret', () => {
  it('takes no calls and stays; the run says so, and the right one makes the calls', async () => {
    const provider = await emulator();
    const wrong = await startTestWorker(provider.url, { secret: OTHER_SECRET });
    const args = ['run', 'ckd/staging', '-m', MODEL, '--limit', '10', '--queue', redis.url];
    const running = begin([...args, '--set', 'endpoint=test', '--bootstrap', '0'], workingFolder());
    await until('the run waits', () => running.said().includes('waiting for a worker'));
    expect(running.said()).toContain('1 worker on this Redis may have another secret');
    await startTestWorker(provider.url);
    const { code, stderr } = await running.ended;
    expect(code, stderr).toBe(0);
    expect([(await provider.stats()).requests, wrong.idleSeconds() > 0, wrong.notices]).toEqual([
      10,
      true,
      [],
    ]);
  });
});

describe.skipIf(findRedis() === null)('waits and limits that someone else writes', () => {
  it.each(['text', 'nan', 'inf', '1e300', ''])('are ignored where they are %j', async (value) => {
    await redis.client.hset('krisis:waits', 'host', value);
    await redis.client.hset('krisis:rates', { 'host calls': value, 'host tokens': value });
    const turns = createTurns(redis.client, 'host', { requestsPerMinute: 60, tokensPerMinute: 60_000 });
    expect(await turns.take(1, 0)).toBe(0);
    await redis.client.hset('krisis:waits', 'host', value);
    await turns.wait(20);
    expect(await turns.take(1, 0)).toBeGreaterThan(15);
  });
});
