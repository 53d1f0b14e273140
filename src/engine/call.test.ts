import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it, vi } from 'vitest';
import {
  memoryRun,
  modelReply,
  response,
  scriptedBackend,
  temporaryFolder,
} from '../../test/engine-fixture.ts';
import { type Fault, FINAL_FAULTS, REPLY_FAULTS } from '../core/fault.ts';
import type { BackendResponse, BackendSettings, CallRef } from '../models/backend.ts';
import { BackendError, ownError } from '../models/backend-error.ts';
import { complete } from '../models/define-backend.ts';
import type { CallOutcome } from '../store/call.ts';
import { PROCESS_WAITS } from '../store/provider-waits.ts';
import { ResponseCache } from '../store/response-cache.ts';
import { Interrupted, RunStopped } from '../transports/transport.ts';
import { makeCall } from './call.ts';
import type { CallContext } from './call-request.ts';

const question = {
  key: 'k',
  mode: 'batch',
  repeat: 0,
  records: [{ id: 'a', features: {} }],
  toRows: () => [],
  cacheKey: null,
  estimate: () => ({ inputTokens: null, outputTokens: null }),
  most: null,
} as const;

/** Makes one call whose attempts do, one after the other, what `script` says; the last goes on for ever. */
function call(
  script: readonly (Error | BackendResponse)[],
  { settings = {}, ...options }: Partial<CallContext> & { settings?: BackendSettings } = {},
) {
  const journal = options.journal ?? memoryRun();
  const waits: [string, number][] = [];
  let made = 0;
  const ask = async () => {
    const next = script[Math.min(made++, script.length - 1)]!;
    if (next instanceof Error) throw next;
    return [next];
  };
  const backend = scriptedBackend(() => [], { retryBaseSeconds: 0.001, ...settings });
  const onWait = (seconds: number, reason: string) => waits.push([reason, seconds]);
  const result = makeCall({ ...question, ask }, { backend, onWait, ...options, journal });
  return { result, journal, waits, made: () => made };
}

const fault = (name: Fault, message = 'trouble') => new BackendError(name, message);

describe('makeCall', () => {
  it('is made once when it succeeds', async () => {
    const { result, made, journal } = call([response({ inputTokens: 7, outputTokens: 1, modelId: 'm-1' })]);
    expect((await result).error).toBeNull();
    expect(made()).toBe(1);
    expect(journal.calls.ended('k')).toBe('answered');
    expect(journal.calls.totals()).toMatchObject({
      calls: 1,
      inputTokens: 7,
      outputTokens: 1,
      modelIds: ['m-1'],
    });
  });

  it('names each try, and keeps who made it, how, and how long that took', async () => {
    const journal = memoryRun();
    const asked: [string, number][] = [];
    const ask = async ({ key, attempt, made }: CallRef) => {
      asked.push([key, attempt]);
      made?.({ via: 'queue', worker: 'gpu-3', seconds: 1.5 });
      if (attempt === 0) throw fault('network');
      return [response()];
    };
    const backend = scriptedBackend(() => [], { retryBaseSeconds: 0.001 });
    const ends: CallOutcome[] = [];
    const end = journal.calls.end.bind(journal.calls);
    journal.calls.end = (id, outcome, rows) => {
      ends.push(outcome);
      end(id, outcome, rows);
    };
    await makeCall({ ...question, ask }, { backend, journal });
    expect(asked).toEqual([
      ['k', 0],
      ['k', 1],
    ]);
    expect(ends).toMatchObject(
      ['retry', 'answered'].map((outcome) => ({
        outcome,
        via: 'queue',
        worker: 'gpu-3',
        latencySeconds: 1.5,
      })),
    );
  });

  it.each(['timeout', 'network', 'rate_limit'] as const)(
    'tries again after a fault that passes: %s',
    async (passing) => {
      const { result, made, journal } = call([fault(passing), fault(passing), response()]);
      expect((await result).error).toBeNull();
      expect(made()).toBe(3);
      expect(journal.calls.totals()).toMatchObject({ calls: 3, retries: 2 });
    },
  );

  it.each([0, 1, 3])('tries again at most %s times', async (maxRetries) => {
    const { result, made, journal } = call([fault('network')], { settings: { maxRetries } });
    expect((await result).error?.fault).toBe('network');
    expect(made()).toBe(maxRetries + 1);
    expect(journal.calls.ended('k')).toBe('network');
  });

  it('retries three times by default', async () => {
    const { result, made } = call([fault('timeout')]);
    await result;
    expect(made()).toBe(4);
  });

  it('gives up on the same server error twice in a row', async () => {
    const { result, made } = call([fault('server', '500'), fault('server', '500'), response()]);
    expect((await result).error?.fault).toBe('server');
    expect(made()).toBe(2);
  });

  it('goes on while the server errors differ, or something else comes between', async () => {
    const script = [fault('server', '500'), fault('server', '502'), fault('server', '500'), response()];
    expect((await call(script).result).error).toBeNull();
    const mixed = [fault('server', '500'), fault('timeout', '500'), fault('server', '500'), response()];
    expect((await call(mixed).result).error).toBeNull();
  });

  it('remembers the server error of the process before', async () => {
    const journal = memoryRun();
    const stop = new AbortController();
    const onWait = () => stop.abort();
    const first = call([fault('server', '500')], { journal, signal: stop.signal, onWait });
    await expect(first.result).rejects.toThrow(Interrupted);
    const second = call([fault('server', '500')], { journal });
    expect((await second.result).error?.fault).toBe('server');
    expect([first.made(), second.made()]).toEqual([1, 1]);
  });

  it.each(REPLY_FAULTS)('never asks again for a reply that is %s', async (name) => {
    const { result, made } = call([fault(name)]);
    expect((await result).error?.fault).toBe(name);
    expect(made()).toBe(1);
  });

  it.each(FINAL_FAULTS)('stops the run when no call can succeed: %s', async (name) => {
    const { result, made, journal } = call([fault(name, 'what to do')]);
    await expect(result).rejects.toThrow(RunStopped);
    await expect(result).rejects.toMatchObject({ fault: name, message: 'what to do' });
    expect(made()).toBe(1);
    expect(journal.calls.ended('k'), 'it is made again once the user has acted').toBeNull();
    expect(journal.calls.totals().calls).toBe(1);
  });

  it('retries an error of the network that a backend did not wrap', async () => {
    const cause = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const { result, made } = call([new TypeError('fetch failed', { cause }), response()]);
    expect((await result).error).toBeNull();
    expect(made()).toBe(2);
  });

  it('does not retry an error that explains nothing', async () => {
    const { result, made } = call([new Error('no idea'), response()]);
    expect((await result).error).toMatchObject({ fault: 'backend' });
    expect(made()).toBe(1);
  });

  it('does not take an internal error for one of the backend', async () => {
    const journal = memoryRun();
    journal.calls.end = () => {
      throw new Error('the disk is full');
    };
    const { result, made } = call([response()], { journal });
    await expect(result).rejects.toThrow('the disk is full');
    expect(made(), 'an answer that was paid for is not asked for again').toBe(1);
  });
});

describe('waiting', () => {
  const slowDown = (seconds: number) =>
    new BackendError('rate_limit', 'slow down', { retryAfterSeconds: seconds });

  it('waits as long as the server says, counts it once, and enters it in the journal', async () => {
    const before = performance.now();
    const { result, waits, journal } = call([slowDown(0.03), response()]);
    await result;
    expect(performance.now() - before).toBeGreaterThanOrEqual(30);
    expect(journal.wait.left(), 'not before the moment').toBe(0);
    expect(waits.filter(([reason]) => reason === 'rate_limit')).toEqual([['rate_limit', 0]]);
    const seconds = waits.reduce((sum, [, wait]) => sum + wait, 0);
    expect(seconds, 'asked for once, waited for once').toBeLessThan(0.045);
    expect(journal.calls.totals().rateLimits).toBe(1);
  });

  it('makes all calls wait that share the journal', async () => {
    const journal = memoryRun();
    const moment = performance.now() + 20;
    journal.wait.extend(20);
    let asked = 0;
    await makeCall(
      {
        ...question,
        ask: async () => {
          asked = performance.now();
          return [response()];
        },
      },
      { journal, backend: scriptedBackend(() => []) },
    );
    expect(asked).toBeGreaterThanOrEqual(moment);
  });

  it('doubles its own waits up to the longest, less up to half', async () => {
    const settings = { maxRetries: 4, retryBaseSeconds: 0.004, retryMaxSeconds: 0.01 };
    const { result, waits } = call([fault('network')], { settings });
    await result;
    const most = [0.004, 0.008, 0.01, 0.01];
    expect(waits).toHaveLength(4);
    waits.forEach(([, seconds], i) => {
      expect(seconds).toBeLessThanOrEqual(most[i]!);
      expect(seconds).toBeGreaterThanOrEqual(most[i]! / 2);
    });
  });

  it.each([
    ['what the server says', slowDown(3600)],
    ['its own time', fault('network')],
  ])('aborts %s when it is stopped', async (_, error) => {
    const stop = new AbortController();
    const { result, made } = call([error], {
      signal: stop.signal,
      settings: { retryBaseSeconds: 3600, retryMaxSeconds: 3600 },
      onWait: () => setImmediate(() => stop.abort()),
    });
    await expect(result).rejects.toThrow(Interrupted);
    expect(made()).toBe(1);
  });

  it('makes no call at all after it was told to stop', async () => {
    const { result, made, journal } = call([response()], { signal: AbortSignal.abort() });
    await expect(result).rejects.toThrow(Interrupted);
    expect(made()).toBe(0);
    expect(journal.calls.totals().calls).toBe(0);
  });
});

describe('tokens of calls that failed', () => {
  const usage = { inputTokens: 100, outputTokens: 20 };

  it('are counted, and wasted when nothing came of them', async () => {
    const { result, journal } = call([new BackendError('truncated', 'cut', { usage })]);
    await result;
    expect(journal.calls.totals()).toMatchObject({ inputTokens: 100, outputTokens: 20, wastedTokens: 120 });
  });

  it('are not wasted when rows were kept, and are those of the rows where the call says nothing', async () => {
    const partial = [response({ inputTokens: 30, outputTokens: 5 }), null];
    const said = call([new BackendError('malformed', 'half', { usage, partial })]);
    await said.result;
    expect(said.journal.calls.totals()).toMatchObject({
      inputTokens: 100,
      outputTokens: 20,
      wastedTokens: 0,
    });
    const silent = call([new BackendError('malformed', 'half', { partial })]);
    await silent.result;
    expect(silent.journal.calls.totals()).toMatchObject({
      inputTokens: 30,
      outputTokens: 5,
      wastedTokens: 0,
    });
  });

  it('are counted for every attempt', async () => {
    const late = new BackendError('timeout', 'late', { usage });
    const { result, journal } = call([late, response({ inputTokens: 1, outputTokens: 1 })]);
    await result;
    expect(journal.calls.totals()).toMatchObject({ inputTokens: 101, outputTokens: 21, wastedTokens: 120 });
  });

  it('are unknown when none are reported', async () => {
    const { result, journal } = call([fault('network'), response()]);
    await result;
    expect(journal.calls.totals()).toMatchObject({ inputTokens: null, outputTokens: null, wastedTokens: 0 });
  });
});

describe('a provider that says when to come back', () => {
  const slowDown = new BackendError('rate_limit', 'slow down', { retryAfterSeconds: 0.001 });

  it('is believed more often than there are retries', async () => {
    const script = [...Array(12).fill(slowDown), response()];
    const { result, made } = call(script, { settings: { maxRetries: 1 } });
    expect((await result).error).toBeNull();
    expect(made()).toBe(13);
  });

  it('is not believed for ever', async () => {
    const { result, made } = call([slowDown], { settings: { maxRetries: 0 } });
    expect((await result).error?.fault).toBe('rate_limit');
    expect(made()).toBe(101);
  });

  it('is shared by all callers', async () => {
    const destination = { provider: 'p', host: `${Math.random()}.test`, loopback: false };
    const { result } = call([slowDown, response()], { settings: { destination }, waits: PROCESS_WAITS });
    await result;
    PROCESS_WAITS.wait(destination.host, 60_000);
    expect(PROCESS_WAITS.clear(destination.host)).toBe(1);
  });

  it('stops the run when it is longer than a run waits, and when it was before', async () => {
    const long = new BackendError('rate_limit', 'tomorrow', { retryAfterSeconds: 7200 });
    const destination = { provider: 'p', host: 'slow.test', loopback: false };
    const { result, journal, made } = call([long], { settings: { destination } });
    await expect(result).rejects.toThrow(/slow\.test asks for no calls until 2\d{3}-.* UTC, .*\(1 h\)/);
    expect(journal.calls.ended('k')).toBeNull();
    const again = call([response()], { journal, settings: { destination } });
    await expect(again.result).rejects.toThrow(RunStopped);
    expect([made(), again.made()]).toEqual([1, 0]);
    const patient = call([long, response()], { maxRetryAfterSeconds: 10_000 });
    const first = await Promise.race([patient.result.then(() => 'done'), sleep(50, 'waits')]);
    expect(first).toBe('waits');
  });

  it('ends in time when the clock is set back', async () => {
    const now = Date.now();
    const { result } = call([new BackendError('rate_limit', '', { retryAfterSeconds: 0.1 }), response()]);
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now - 7_200_000);
    expect((await result).error).toBeNull();
    clock.mockRestore();
  });
});

describe('a provider that is down', () => {
  const destination = { provider: 'p', host: 'down.test', loopback: false };
  const settings = { destination, maxRetries: 1 };

  it.each(['network', 'overloaded'] as const)('stops the run instead of failing rows: %s', async (name) => {
    const health = { lastSuccess: Number.NEGATIVE_INFINITY };
    const { result, journal } = call([fault(name)], { settings, health });
    await expect(result).rejects.toMatchObject({ fault: 'unreachable' });
    expect(journal.calls.ended('k'), 'it is made again when it is back').toBeNull();
  });

  it('is not down while others succeed', async () => {
    const health = { lastSuccess: Number.POSITIVE_INFINITY };
    const { result } = call([fault('network')], { settings, health });
    expect((await result).error?.fault).toBe('network');
  });

  it('is not down when a call fails again that failed before, and others succeeded since', async () => {
    const { result, journal } = call([fault('network')], {
      settings,
      health: { lastSuccess: Number.NEGATIVE_INFINITY },
    });
    await expect(result).rejects.toThrow(RunStopped);
    const again = call([fault('network')], { settings, journal, health: { lastSuccess: 0 } });
    expect((await again.result).error?.fault).toBe('network');
  });
});

describe('the cache', () => {
  const folder = temporaryFolder();
  afterAll(folder.remove);

  /** Asks a model that replies so, and reads its replies and those from the cache alike. */
  const ask = (cacheKey: string, text: string, more: Partial<Parameters<typeof makeCall>[1]>) =>
    makeCall(
      {
        ...question,
        cacheKey,
        ask: async ({ cached, received }) => {
          const reply = cached ?? modelReply(text);
          received?.(reply);
          if (reply.text === '') throw new BackendError('empty', 'nothing');
          return [response(reply.text === 'refused' ? { refused: true } : { prediction: reply.text })];
        },
      },
      { journal: memoryRun(), backend: scriptedBackend(() => []), ...more },
    );
  const labelIn = async (result: ReturnType<typeof makeCall>) => (await result).responses[0]!.prediction;

  it('answers what was answered before, without a call', async () => {
    const cache = ResponseCache.open(folder.file('cache.db'));
    // So many are written at once.
    for (let i = 0; i < 512; i++) await ask(`k${i}`, 'no', { cache });
    const journal = memoryRun();
    expect(await labelIn(ask('k3', 'yes', { cache, journal }))).toBe('no');
    expect(journal.calls.totals()).toMatchObject({ calls: 0, cacheHits: 1 });
    cache.close();
  });

  it('stores replies, but gives none, where it may not be read', async () => {
    const kept: string[] = [];
    const cache = {
      get: () => ({ reply: modelReply('no'), storedAt: 1000 }),
      put: (key: string) => kept.push(key),
    } as never;
    const read = memoryRun();
    expect([await labelIn(ask('k', 'yes', { journal: read, cache })), kept]).toEqual(['no', []]);
    expect(read.calls.totals()).toMatchObject({ calls: 0, cacheHits: 1, oldestCacheHit: 1000, replies: 1 });
    const fresh = memoryRun();
    const label = await labelIn(ask('k', 'yes', { journal: fresh, cache, readsCache: false }));
    expect([label, kept]).toEqual(['yes', ['k']]);
    expect(fresh.calls.totals()).toMatchObject({ calls: 1, cacheHits: 0, oldestCacheHit: null, replies: 1 });
  });

  it.each(['', 'refused'])('asks where a reply in it cannot be used: %j', async (text) => {
    const cache = { get: () => ({ reply: modelReply(text), storedAt: 1 }), put: () => {} } as never;
    const journal = memoryRun();
    expect(await labelIn(ask('k', 'yes', { journal, cache }))).toBe('yes');
    expect(journal.calls.totals()).toMatchObject({ calls: 1, cacheHits: 0 });
  });

  it('keeps no refusal, and no answer of a backend that does not hand over its reply', async () => {
    const kept: string[] = [];
    const cache = { get: () => null, put: (key: string) => kept.push(key) } as never;
    await ask('refused', 'refused', { cache });
    await ask('answered', 'yes', { cache });
    await makeCall(
      { ...question, cacheKey: 'own', ask: async () => [response()] },
      { journal: memoryRun(), backend: scriptedBackend(() => []), cache },
    );
    expect(kept).toEqual(['answered']);
  });
});

/** The outcome of a call whose reply names its model so. */
async function named(modelId: string, isProtected: boolean) {
  const journal = memoryRun();
  const outcomes: CallOutcome[] = [];
  const end = journal.calls.end.bind(journal.calls);
  journal.calls.end = (id, outcome, rows) => {
    outcomes.push(outcome);
    end(id, outcome, rows);
  };
  await makeCall(
    {
      ...question,
      records: [{ id: 'a', features: { name: 'Doe-4711' } }],
      ask: async () => [complete({ prediction: 'yes', abstained: false, modelId }, 'single')],
    },
    { journal, backend: { ...scriptedBackend(() => []), name: 'openai/gpt-5' }, isProtected },
  );
  return { outcome: outcomes[0]! };
}

describe('a protected run', () => {
  it('keeps nothing of the record that an error quotes', async () => {
    const journal = memoryRun();
    const errors: unknown[] = [];
    const end = journal.calls.end.bind(journal.calls);
    journal.calls.end = (id, outcome, rows) => {
      errors.push(outcome.error);
      end(id, outcome, rows);
    };
    const stopped = makeCall(
      {
        ...question,
        records: [{ id: 'a', features: { name: 'Doe-4711' } }],
        ask: async () => {
          throw new BackendError('bad_request', 'cannot take "Doe-4711"');
        },
      },
      { journal, backend: scriptedBackend(() => []), isProtected: true },
    );
    await expect(stopped).rejects.toThrow(/^the text of the error is withheld/);
    expect(errors).toEqual([expect.stringMatching(/^bad_request: the text of the error is withheld/)]);
  });

  it('keeps what Krisis itself says of an error', async () => {
    const stopped = makeCall(
      {
        ...question,
        ask: async () => {
          throw ownError('bad_request', 'unit/model: not accepted (HTTP 400): no "Doe-4711"', {
            summary: 'unit/model: not accepted (HTTP 400)',
          });
        },
      },
      { journal: memoryRun(), backend: scriptedBackend(() => []), isProtected: true },
    );
    await expect(stopped).rejects.toThrow(/^unit\/model: not accepted \(HTTP 400\)$/);
  });

  it.each(['gpt-5', 'gpt-5-2025-08-07', 'gpt-5-20250807', 'gpt-5@20250807'])(
    'keeps the name of the model that was asked, with a date: %s',
    async (modelId) => {
      expect((await named(modelId, true)).outcome.modelId).toBe(modelId);
    },
  );

  it.each([
    // Names, identifiers and findings of a record, as they are and disguised.
    'Quackenbush-model',
    'UXVhY2tlbmJ1c2g=',
    'hsubnekcauQ',
    'Quackenbus',
    'creat-3.1',
    'diabetes-since-1998-smoker',
    'gpt-5-Quackenbush',
    'gpt-5-4711',
    'gpt-5-0613',
    'gpt-5:4711',
    'gpt-5.4711',
    'Quackenbush-gpt-5',
    'GPT-5',
    'gpt-5 ',
    'gpt-5\n',
    '',
    // Dates that are none, or of a birth.
    'gpt-5-1961-05-03',
    'gpt-5-19610503',
    'gpt-5-2025-02-30',
    'gpt-5-2025-1-1',
    'gpt-5-2025-0807',
    'gpt-5-2999-01-01',
    'gpt-5-2025-08-07-2025-08-07',
    'gpt-5-٢٠٢٥-٠٨-٠٧',
    '\u001b[31mgpt-5',
    'g'.repeat(200),
  ])('stores any other name of a model as a hash: %j', async (modelId) => {
    const { outcome } = await named(modelId, true);
    expect(outcome.modelId).toMatch(/^withheld:[0-9a-f]{16}$/);
  });
});

describe('a public run', () => {
  it('makes names of models and texts of errors harmless', async () => {
    const { outcome } = await named(`\u001b[31mm\u202e\n${'x'.repeat(500)}`, false);
    expect(outcome.modelId).toMatch(/^m\?\?x+…$/);
    expect(outcome.modelId).toHaveLength(120);
    const failing = makeCall(
      {
        ...question,
        ask: async () => {
          throw new BackendError('bad_request', `\u001b[2J\u202eno ${'x'.repeat(1e6)}`);
        },
      },
      { journal: memoryRun(), backend: scriptedBackend(() => []) },
    );
    await expect(failing).rejects.toThrow(/^\?no x{100,600}…$/);
  });

  it('takes an unknown fault for an unexplained error', async () => {
    const failing = makeCall(
      {
        ...question,
        ask: async () => {
          throw new BackendError('Doe-4711' as never, 'no');
        },
      },
      { journal: memoryRun(), backend: { ...scriptedBackend(() => []), maxRetries: 0 } },
    );
    expect((await failing).error?.fault).toBe('backend');
  });
});
