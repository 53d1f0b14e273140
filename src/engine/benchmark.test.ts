import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import {
  allYes,
  recordsOf,
  response,
  scriptedBackend,
  suiteOf,
  task,
  temporaryFolder,
} from '../../test/engine-fixture.ts';
import { KrisisError } from '../core/errors.ts';
import { accuracy } from '../metrics/catalogue.ts';
import { defineMetric } from '../metrics/define-metric.ts';
import { defaultBenchmarkMetrics } from '../metrics/registry.ts';
import { BackendError } from '../models/backend-error.ts';
import { defineBackend } from '../models/define-backend.ts';
import { replayBackend } from '../models/replay-backend.ts';
import type { BenchmarkResult } from '../runs/run-result.ts';
import { createRandom } from '../statistics/random.ts';
import { RunStopped } from '../transports/transport.ts';
import { Benchmark } from './benchmark.ts';
import { planRun } from './plan-run.ts';
import type { Progress } from './progress.ts';
import { selectArm } from './select-arm.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
const suite = suiteOf(recordsOf('abcdefghij'));
const quick = { resamples: 0 };

describe('Benchmark', () => {
  it('refuses a primary endpoint that is no metric, before the first call', async () => {
    const named = (metric: string) => {
      const primaryEndpoint = { metric, arm: 'natural', why: 'a demonstration' };
      return { ...suite, task: { ...task, primaryEndpoint } };
    };
    const backend = scriptedBackend(allYes);
    await expect(new Benchmark(named('acuracy'), backend, quick).run()).rejects.toMatchObject({
      code: 'ERR_SUITE_DEFINITION',
      message: 'suite demo/yes-no: primary_endpoint: no metric "acuracy"; did you mean accuracy?',
    });
    await expect(planRun(named('acuracy'), [backend], {})).rejects.toMatchObject({ value: 'acuracy' });
    const mine = { ...accuracy(), name: 'acuracy' };
    expect(backend.calls).toEqual([]);
    for (const [metric, options] of [
      ['ece', quick],
      ['acuracy', { ...quick, metrics: [mine] }],
    ] as const)
      expect(await new Benchmark(named(metric), backend, options).run()).toMatchObject({
        status: 'complete',
        primaryEndpoint: { metric },
      });
  });

  it('gives the result that every run gives', async () => {
    const result = await new Benchmark(suite, scriptedBackend(allYes), quick).run();
    expect(result).toMatchObject({
      path: null,
      status: 'complete',
      suiteName: 'demo/yes-no',
      suiteHash: (await suite.describe()).hash,
      task: { kind: 'labels', id: 'demo/yes-no', positiveLabel: 'yes' },
      arm: 'natural',
      n: 10,
      scores: { accuracy: { value: 1 } },
      execution: { nInputRecords: 10 },
      judging: null,
    });
    expect([...result.rows()]).toEqual(result.evaluationResults);
    expect(result.backendName).toBe('scripted');
    expect(result.suiteDescription).toEqual(await suite.describe());
    expect(result.ledger).toMatchObject({ n: 10, answered_correct: 10 });
    expect(result.metricScores.map(({ name }) => name)).toEqual(
      defaultBenchmarkMetrics({ positiveLabel: 'yes' }).map(({ name }) => name),
    );
    expect(result.evaluationResults[0]).toEqual({
      id: 'a',
      call: 'a',
      state: 'answered',
      stateReason: null,
      prediction: 'yes',
      groundTruth: 'yes',
      abstained: false,
      confidence: null,
      urgent: null,
      deferralReason: null,
      metadata: {},
      repeat: 0,
      confidenceSource: 'stated',
      rawResponse: null,
      prompt: null,
      promptMode: 'batch',
      inputTokens: null,
      outputTokens: null,
      totalTokens: null,
      tokensEstimated: false,
      repaired: false,
      tokenConfidence: null,
      replyOrder: null,
      problem: null,
      httpStatus: null,
      attempt: 0,
      callId: expect.any(Number),
      latencyMs: expect.any(Number),
      score: null,
      checked: null,
    });
  });

  it('asks eight at a time and one batch after the other by default', async () => {
    const backend = scriptedBackend(allYes);
    const { extras } = await new Benchmark(suite, backend, quick).run();
    expect(backend.calls).toEqual(['abcdefgh', 'ij']);
    expect(extras).toMatchObject({ batch_size: 8, max_concurrency: 1, n_api_batches: 2 });
  });

  it('fills in every field of the table of extras', async () => {
    const prompt = (mode: string) => [{ role: 'user' as const, content: `${mode}: {{patient_data}}` }];
    const tokens = { inputTokens: 10, outputTokens: 1, totalTokens: 11 };
    const backend = scriptedBackend(
      ({ ids, mode, time }) => {
        if (ids === 'abcd' && time === 1)
          throw new BackendError('rate_limit', 'slow', { retryAfterSeconds: 0.001 });
        if (mode === 'batch' && ids.includes('e'))
          throw new BackendError('malformed', 'no JSON', { usage: { inputTokens: 5, outputTokens: 2 } });
        return [...ids].map(() =>
          response({ ...tokens, promptMode: mode, prompt: prompt(mode), modelId: 'm-2026-01' }),
        );
      },
      { simulated: true },
    );
    const benchmark = new Benchmark(suite, backend, {
      ...quick,
      batchSize: 4,
      maxConcurrency: 2,
      repeats: 1,
    });
    const { extras } = await benchmark.run();
    // abcd, abcd again, efgh, ef, e, (e), f, gh, ij
    expect(extras).toEqual({
      batch_size: 4,
      max_concurrency: 2,
      n_input_records: 10,
      n_api_batches: 3,
      elapsed_seconds: expect.any(Number),
      records_per_second: expect.closeTo(10 / extras.elapsed_seconds!, 6),
      input_tokens: 10 * 10 + 3 * 5,
      output_tokens: 10 * 1 + 3 * 2,
      token_total: 131,
      prompt_capture: 'evaluation_results.prompt',
      prompt_data_policy: 'patient_data_redacted',
      prompt_modes: ['batch', 'single'],
      n_prompts_captured: 10,
      prompt_templates_count: 2,
      prompt_templates: [
        { prompt_mode: 'batch', prompt: prompt('batch') },
        { prompt_mode: 'single', prompt: prompt('single') },
      ],
      repeats: 1,
      n_calls: 9,
      n_retries: 1,
      n_splits: 2,
      n_single_fallbacks: 2,
      wasted_tokens: 21,
      n_cache_hits: 0,
      oldest_cache_hit: null,
      n_replies: 5, // abcd, (e), f, gh, ij
      n_repaired: 0,
      cost_usd: null,
      unsettled_usd: null,
      n_settled_at_reserve: 0,
      latency_p50_seconds: expect.any(Number),
      latency_p95_seconds: expect.any(Number),
      n_rate_limits: 1,
      waited_seconds: expect.any(Number),
      n_asked_again: 0,
      call_settings: [],
      calls_made: [],
      workers: [],
      roles: [],
      model_ids: ['m-2026-01'],
      simulated: true,
    });
    expect(backend.calls).toHaveLength(9);
  });

  it('has no tokens, prompts or model where the backend has none', async () => {
    const { extras } = await new Benchmark(suite, scriptedBackend(allYes), quick).run();
    expect(extras).toMatchObject({
      input_tokens: null,
      output_tokens: null,
      token_total: null,
      wasted_tokens: 0,
      n_prompts_captured: 0,
      prompt_templates_count: 0,
      prompt_templates: [],
      prompt_modes: ['batch'],
      model_ids: [],
      simulated: false,
    });
  });

  it('does not say that it asked singly when it did not', async () => {
    const unreachable = scriptedBackend(
      () => {
        throw Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' });
      },
      { maxRetries: 0 },
    );
    const { extras, ledger } = await new Benchmark(suite, unreachable, quick).run();
    expect(ledger).toMatchObject({ n: 10, failed_network: 10 });
    expect(extras.prompt_modes).toEqual(['batch']);
    expect(extras.n_splits).toBe(0);
  });

  it('says that a backend without batches was asked about each record alone: no rows form a cluster', async () => {
    const alone = defineBackend({ name: 'alone', evaluate: () => ({ prediction: 'yes', abstained: false }) });
    const one = await new Benchmark(suite, alone, quick).run();
    expect(one.extras.prompt_modes).toEqual(['single']);
    expect(new Set(one.evaluationResults.map(({ call }) => call))).toEqual(new Set([null]));
    const several = await new Benchmark(suite, scriptedBackend(allYes), quick).run();
    expect(several.extras.prompt_modes).toEqual(['batch']);
    expect(several.evaluationResults.every(({ call }) => call !== null)).toBe(true);
  });

  it('scores with the metrics it is given, and no others', async () => {
    const own = defineMetric({ name: 'n_rows', estimate: (rows) => [...rows].length });
    const options = { ...quick, metrics: [accuracy(), own] };
    const { metricScores } = await new Benchmark(suite, scriptedBackend(allYes), options).run();
    expect(metricScores.map(({ name, value }) => [name, value])).toEqual([
      ['accuracy', 1],
      ['n_rows', 10],
    ]);
  });

  it('takes records and a description in place of those of the suite', async () => {
    const unloadable = {
      ...suite,
      load: () => Promise.reject(new Error('not to be loaded')),
      describe: () => Promise.reject(new Error('not to be described')),
    };
    const backend = scriptedBackend(allYes);
    const records = recordsOf('xyz').map((record) => ({ ...record, label: 'no' }));
    const suiteDescription = { name: 'three of mine' };
    const result = await new Benchmark(unloadable, backend, quick).run({ records, suiteDescription });
    expect(backend.calls).toEqual(['xyz']);
    expect(result.suiteDescription).toMatchObject(suiteDescription);
    expect(result.ledger).toMatchObject({ n: 3, answered_wrong: 3 });
  });

  it('shows what the arm adds, and nothing in the default arm', async () => {
    const [plain, hinted] = [scriptedBackend(allYes), scriptedBackend(allYes)];
    await new Benchmark(suite, plain, quick).run();
    await new Benchmark(suite, hinted, { ...quick, arm: 'hinted' }).run();
    expect(plain.seen[0]).toEqual({ id: 'a', features: { value: 'a' } });
    expect(hinted.seen[0]).toEqual({ id: 'a', features: { value: 'a', hint: 'two' } });
  });

  it('passes the arm to the backend, and refuses an unknown one', async () => {
    const arms: string[] = [];
    const backend = defineBackend({
      name: 'x',
      evaluate: (_, { defaultArm }) => {
        arms.push(defaultArm);
        return { prediction: 'yes', abstained: false };
      },
    });
    await new Benchmark(suite, backend, { ...quick, arm: 'hinted' }).run({ records: recordsOf('a') });
    expect(arms).toEqual(['hinted']);
    const wrong = new Benchmark(suite, backend, { arm: 'toString' }).run();
    await expect(wrong).rejects.toThrow(KrisisError);
    await expect(wrong).rejects.toMatchObject({ code: 'ERR_ARM_NOT_FOUND', value: 'toString' });
    await expect(wrong).rejects.toThrow('has no arm "toString"; available: natural, hinted');
    expect(selectArm(task, 'natural')).toBe(task);
    expect(selectArm(task, undefined)).toBe(task);
  });

  it.each([
    [{ batchSize: 0 }, 'batch size is 0'],
    [{ maxConcurrency: 0 }, 'concurrency is 0'],
    [{ repeats: 0 }, 'repeat is 0'],
  ])('refuses %o', async (options, message) => {
    await expect(new Benchmark(suite, scriptedBackend(allYes), options).run()).rejects.toThrow(message);
  });

  it('refuses a suite without records', async () => {
    const none = new Benchmark(suite, scriptedBackend(allYes)).run({ records: [] });
    await expect(none).rejects.toThrow('there are no cases to evaluate');
    await expect(none).rejects.toMatchObject({ code: 'ERR_NO_RECORDS' });
  });

  it('gives rows in the order of the records, whatever finishes first', async () => {
    const random = createRandom(3);
    const backend = scriptedBackend(async ({ ids }) => {
      await sleep(random.integer(8));
      return [...ids].map((id) => response({ rawResponse: id }));
    });
    const options = { ...quick, batchSize: 1, maxConcurrency: 10, repeats: 2 };
    const { evaluationResults, extras } = await new Benchmark(suite, backend, options).run();
    expect(evaluationResults.map(({ id }) => id).join('')).toBe('abcdefghijabcdefghij');
    expect(evaluationResults.map(({ rawResponse }) => rawResponse).join('')).toBe('abcdefghijabcdefghij');
    expect(evaluationResults.map(({ repeat }) => repeat).join('')).toBe('00000000001111111111');
    expect(extras).toMatchObject({ repeats: 2, n_api_batches: 20, n_calls: 20, n_input_records: 10 });
  });

  it('resamples records, not rows, when every record is asked several times', async () => {
    const { metricScores } = await new Benchmark(suite, scriptedBackend(allYes), { repeats: 2 }).run();
    expect(metricScores[0]).toMatchObject({
      name: 'accuracy',
      nEvaluated: 20,
      interval: { unit: 'cluster' },
    });
  });

  it('reports its progress', async () => {
    const seen: Progress[] = [];
    await new Benchmark(suite, scriptedBackend(allYes), quick).run({
      onProgress: (progress) => seen.push(progress),
    });
    expect(seen.at(-1)).toMatchObject({ total: 10, done: 10, answered: 10, inFlight: 0 });
  });

  it('returns what is done when it is stopped, with the rest as not run', async () => {
    const stop = new AbortController();
    const backend = scriptedBackend((asked) => {
      stop.abort();
      return allYes(asked);
    });
    const { ledger, evaluationResults, extras, metricScores } = await new Benchmark(suite, backend, {
      ...quick,
      batchSize: 4,
    }).run({ signal: stop.signal });
    expect(ledger).toMatchObject({ n: 10, answered_correct: 4, not_run: 6 });
    expect(evaluationResults.at(-1)).toMatchObject({ id: 'j', state: 'not_run', prediction: null });
    expect(extras.n_calls).toBe(1);
    expect(metricScores[0]).toMatchObject({ value: 1, nEvaluated: 4, bounds: { lower: 0.4, upper: 1 } });
  });

  it('has values for nothing when nothing was asked', async () => {
    const { ledger, metricScores, extras } = await new Benchmark(suite, scriptedBackend(allYes), quick).run({
      signal: AbortSignal.abort(),
    });
    expect(ledger).toMatchObject({ n: 10, not_run: 10 });
    expect(metricScores.every(({ value, reason }) => value === null && reason !== null)).toBe(true);
    expect(extras).toMatchObject({ n_calls: 0, latency_p50_seconds: null, prompt_modes: [] });
  });

  it('stops with the reason when no call can succeed', async () => {
    const locked = scriptedBackend(() => {
      throw new BackendError('auth', 'set OPENAI_API_KEY');
    });
    const run = new Benchmark(suite, locked).run();
    await expect(run).rejects.toThrow(RunStopped);
    await expect(run).rejects.toThrow('set OPENAI_API_KEY');
    expect(locked.calls).toEqual(['abcdefgh']);
  });

  it('keeps what was finished when it is stopped', async () => {
    let calls = 0;
    const expires = scriptedBackend((records) => {
      calls += 1;
      if (calls > 1) throw new BackendError('quota', 'out of credit');
      return allYes(records);
    });
    const stopped = await new Benchmark(suite, expires, { ...quick, batchSize: 4 })
      .run()
      .catch((error: unknown) => error);
    expect(stopped).toBeInstanceOf(RunStopped);
    const { ledger, evaluationResults } = (stopped as RunStopped).result as BenchmarkResult;
    expect(ledger).toMatchObject({ n: 10, not_run: 6 });
    expect(evaluationResults[0]).toMatchObject({ id: 'a', state: 'answered' });
  });

  it('replays recorded answers, and fails what was not recorded', async () => {
    const path = folder.file('rows.jsonl');
    const row = { prediction: 'yes', ground_truth: 'yes', abstained: false };
    const rows = [
      { ...row, id: 'a' },
      { ...row, id: 'c', state: 'refused' },
      { ground_truth: 'yes', id: 'd', state: 'failed_timeout' },
    ];
    writeFileSync(path, rows.map((each) => JSON.stringify(each)).join('\n'));
    const { ledger } = await new Benchmark(
      suiteOf(recordsOf('abcde')),
      await replayBackend(path),
      quick,
    ).run();
    expect(ledger).toMatchObject({ n: 5, answered_correct: 1, refused: 1, failed_not_recorded: 3 });
  });
});
