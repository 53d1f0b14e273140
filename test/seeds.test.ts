import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { accuracy, selectiveAccuracy } from '../src/entries/metrics.ts';
import { MetricRubricTrait, Rubric } from '../src/entries/rubrics.ts';
import {
  type Backend,
  BackendError,
  Benchmark,
  defineBackend,
  defineMetric,
  defineSuite,
  run as runFile,
} from '../src/index.ts';
import type { Answer } from '../src/models/define-backend.ts';
import { locateQuotes } from '../src/rubrics/judge/judge-outcome.ts';
import { searchQuote } from '../src/rubrics/verify-quote.ts';

const ids = (n: number) => Array.from({ length: n }, (_, i) => `r${i}`);
const records = (n: number) =>
  ids(n).map((id, i) => ({
    id,
    features: { value: i },
    label: i % 2 === 0 ? 'yes' : 'no',
    metadata: { should_abstain: i % 4 === 3, age: 40 + i },
  }));
const suiteOf = (n: number, more: object = {}) =>
  defineSuite({
    name: 'demo/yes-no',
    labels: ['yes', 'no'],
    instructions: 'Yes or no?',
    sensitivity: 'synthetic',
    load: () => records(n),
    ...more,
  });
const yes: Answer = { prediction: 'yes', abstained: false, confidence: 0.8 };

/** A backend that counts its calls; `batch` answers several records. */
const counting = (batch: (n: number) => unknown) => {
  const calls: string[] = [];
  const backend = defineBackend({
    name: 'mine',
    evaluate: () => {
      calls.push('single');
      return yes;
    },
    evaluateBatch: (asked) => {
      calls.push(`batch ${asked.length}`);
      return batch(asked.length) as Answer[];
    },
  });
  return { backend, calls };
};

describe('a batch that cannot be used falls back to smaller ones, and then to evaluate (000, 001)', () => {
  it.each([
    [
      'a plain error',
      () => {
        throw new Error('no');
      },
    ],
    ['a mistake in the code', () => (undefined as unknown as { results: [] }).results],
    ['an object in place of a list', () => ({})],
    ['results that are null', () => null],
    ['an empty list', () => []],
    [
      'a list with a missing entry',
      (n: number) => Array.from({ length: n }, (_, i) => (i === 0 ? undefined : yes)),
    ],
    ['a list that is too short', (n: number) => Array.from({ length: n - 1 }, () => yes)],
  ])('%s', async (_, batch) => {
    const { backend, calls } = counting(batch);
    const result = await new Benchmark(suiteOf(24), backend, { batchSize: 8 }).run();
    expect(result.ledger).toMatchObject({ n: 24, not_run: 0 });
    expect(result.evaluationResults.every(({ state }) => state === 'answered')).toBe(true);
    expect(calls).toContain('single');
  });

  it('a backend of the user that is no defineBackend', async () => {
    const backend = {
      name: 'class',
      evaluate: async () => yes,
      evaluateBatch: async () => {
        throw new Error('cannot do batches');
      },
    } as unknown as Backend;
    const result = await new Benchmark(suiteOf(200), backend, { batchSize: 8 }).run();
    expect([result.status, result.ledger.n, result.nScored]).toEqual(['complete', 200, 200]);
  });
});

describe('execution (001)', () => {
  it('counts planned calls, and rows that were asked alone after their batch failed', async () => {
    const one = defineBackend({ name: 'one', evaluate: () => yes });
    const { extras } = await new Benchmark(suiteOf(20), one, { batchSize: 8 }).run();
    expect([extras.n_api_batches, extras.n_calls]).toEqual([20, 20]);
    const { backend } = counting(() => {
      throw new BackendError('malformed', 'not JSON');
    });
    const split = await new Benchmark(suiteOf(20), backend, { batchSize: 8 }).run();
    expect(split.execution).toMatchObject({ nApiBatches: 3, nSingleFallbacks: 20 });
  });

  it('counts tokens where answers report their sum alone', async () => {
    const backend = defineBackend({ name: 'sums', evaluate: () => ({ ...yes, totalTokens: 10 }) });
    const { extras } = await new Benchmark(suiteOf(6), backend).run();
    expect([extras.input_tokens, extras.token_total]).toEqual([null, 60]);
  });

  it('tries as often as maxRetries says, also after the same server error', async () => {
    let tries = 0;
    const backend = defineBackend({
      name: 'flaky',
      maxRetries: 5,
      retryBaseSeconds: 0.001,
      evaluate: () => {
        tries += 1;
        if (tries < 6) throw Object.assign(new Error('overrun'), { status: 500 });
        return yes;
      },
    });
    const result = await new Benchmark(suiteOf(1), backend).run();
    expect([tries, result.ledger.answered_correct]).toEqual([6, 1]);
  });
});

describe('records given to run (000, 001)', () => {
  const backend = defineBackend({ name: 'mine', evaluate: () => yes });

  it('are checked as those of a suite', async () => {
    const benchmark = new Benchmark(suiteOf(4), backend);
    const given = (change: object) => benchmark.run({ records: [{ ...records(1)[0]!, ...change }] });
    await expect(given({ label: 'perhaps' })).rejects.toThrow(
      'label "perhaps" is not among the labels: yes, no',
    );
    await expect(given({ metadata: { should_abstain: 'False' } })).rejects.toThrow(
      'metadata.should_abstain is "False"; expected true, false or null',
    );
    await expect(given({ id: '' })).rejects.toMatchObject({ code: 'ERR_SUITE_DEFINITION' });
  });

  it('have a hash of their own', async () => {
    const suite = suiteOf(4);
    const [own, same, other] = await Promise.all([
      new Benchmark(suite, backend).run(),
      new Benchmark(suite, backend).run({ records: records(4) }),
      new Benchmark(suite, backend).run({
        records: records(4).map((record) => ({ ...record, label: 'yes' })),
      }),
    ]);
    expect(same.suiteHash).toBe(own.suiteHash);
    expect(other.suiteHash).not.toBe(own.suiteHash);
  });

  it('need no id: equal records get numbers', async () => {
    const literal = { features: { value: 1 }, label: 'yes', metadata: {} };
    const { evaluationResults } = await new Benchmark(suiteOf(1), backend).run({
      records: [literal, { ...literal, features: { value: 2 } }, literal, literal],
    });
    const [first, second, third, fourth] = evaluationResults.map(({ id }) => id);
    expect(first).toMatch(/^[0-9a-f]{16}$/);
    expect([third, fourth]).toEqual([`${first}-2`, `${first}-3`]);
    expect(second).not.toBe(first);
    const again = await suiteOf(1, { load: () => [literal] }).load();
    expect(again[0]!.id).toBe(first);
  });

  it('need no id in a protected suite: the hash is keyed with a secret of the user', async () => {
    const literal = { features: { value: 1 }, label: 'yes', metadata: {} };
    const load = async (sensitivity: string, ...more: object[]) => {
      const suite = suiteOf(1, { sensitivity, load: () => [...more, literal, literal] });
      return (await suite.load()).map(({ id }) => id).slice(more.length);
    };
    const keyed = await load('protected');
    expect(keyed[1]).toBe(`${keyed[0]}-2`);
    // It does not depend on the place, and cannot be recomputed from the values.
    expect(await load('protected', { ...literal, label: 'no' })).toEqual(keyed);
    expect(await load('public')).not.toEqual(keyed);
    const folder = mkdtempSync(join(tmpdir(), 'krisis-key-'));
    vi.stubEnv('KRISIS_CONFIG_DIR', folder);
    const ofAnother = await load('protected');
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
    expect(ofAnother[0]).toMatch(/^[0-9a-f]{16}$/);
    expect(ofAnother).not.toEqual(keyed);
  });
});

describe('metrics (000, 001, 002)', () => {
  const backend = defineBackend({
    name: 'mine',
    evaluate: ({ features }) =>
      Number(features.value) % 4 === 3 ? { prediction: null, abstained: true } : yes,
  });
  const old = defineMetric({
    name: 'abstained_over_45',
    estimate: (rows) => [...rows].filter((row) => row.abstained && Number(row.metadata.age) > 45).length,
  });
  const failing = defineMetric({
    name: 'broken',
    estimate: (rows) => (rows as unknown as { missing: { n: number } }).missing.n,
  });

  it('of the user see metadata with its types, and whether a row abstained', async () => {
    const types = defineMetric({
      name: 'types',
      estimate: (rows) => ([...rows].every(({ metadata }) => typeof metadata.age === 'number') ? 1 : 0),
    });
    const { scores } = await new Benchmark(suiteOf(12), backend, { extraMetrics: [old, types] }).run();
    expect([scores.abstained_over_45!.value, scores.types!.value]).toEqual([2, 1]);
  });

  it('replace the bundle, or are added to it; the primary endpoint is always there', async () => {
    const suite = suiteOf(12, { primaryEndpoint: 'decision_accuracy' });
    const replaced = await new Benchmark(suite, backend, { metrics: [old] }).run();
    expect(Object.keys(replaced.scores)).toEqual(['abstained_over_45', 'decision_accuracy']);
    const added = await new Benchmark(suite, backend, { extraMetrics: [old] }).run();
    expect(Object.keys(added.scores)).toEqual(
      expect.arrayContaining(['accuracy', 'decision_accuracy', 'abstained_over_45']),
    );
  });

  it('are the eight of the seeds among others, with their labels and families', async () => {
    const { scores } = await new Benchmark(suiteOf(12), backend).run();
    const eight = [
      'accuracy',
      'balanced_accuracy',
      'selective_accuracy',
      'abstention_rate',
      'answer_rate',
      'deferral_alignment',
      'expected_calibration_error',
      'brier_score',
    ];
    expect(Object.keys(scores)).toEqual(expect.arrayContaining(eight));
    expect(scores.selective_accuracy!.label).toBe('Selective Accuracy (answered only)');
    expect([scores.abstention_rate!.family, scores.answer_rate!.family]).toEqual(['deferral', 'deferral']);
  });

  it('count abstentions as wrong by default, or as neutral', async () => {
    const metrics = [accuracy(), accuracy({ treatAbstentionAsNeutral: true }), selectiveAccuracy()];
    const { scores } = await new Benchmark(suiteOf(12), backend, { metrics }).run();
    expect(scores.accuracy).toMatchObject({ nEvaluated: 12, nSuccesses: 6 });
    const neutral = scores.accuracy_neutral_abstentions!;
    expect(neutral).toMatchObject({
      nEvaluated: 9,
      nSuccesses: 6,
      details: { treat_abstention_as_neutral: true },
    });
    expect(neutral.value).toBe(scores.selective_accuracy!.value);
  });

  it('that have the name of another one are refused before anything is asked', async () => {
    const same = defineMetric({ name: 'accuracy', estimate: () => 1 });
    const run = new Benchmark(suiteOf(12), backend, { extraMetrics: [same] }).run();
    await expect(run).rejects.toThrow('metric "accuracy": another metric has this name');
    const { scores } = await new Benchmark(suiteOf(12), backend, { metrics: [same] }).run();
    expect(scores.accuracy!.value).toBe(1);
  });

  it('that throw name themselves, and lose nothing', async () => {
    const result = await new Benchmark(suiteOf(12), backend, { extraMetrics: [failing, old] }).run();
    expect(result.scores.broken).toMatchObject({
      value: null,
      reason: 'metric_failed',
      details: { error: 'TypeError' },
    });
    expect(result.scores.abstained_over_45!.value).toBe(2);
    expect(result.evaluationResults).toHaveLength(12);
    const [warning] = result.warnings.filter(({ code }) => code === 'metric_failed');
    expect(warning!.message).toMatch(
      /^The metric broken threw a TypeError at .*seeds\.test\.ts:\d+:\d+ and has no value/,
    );
  });

  it('Brier follows the labels of the task', async () => {
    const binary = await new Benchmark(suiteOf(12), backend).run();
    expect(binary.scores.brier_score!.value).toBeCloseTo((6 * 0.04 + 3 * 0.64) / 9);
    const three = await new Benchmark(suiteOf(12, { labels: ['yes', 'no', 'other'] }), backend).run();
    expect(three.scores.brier_score).toMatchObject({
      value: null,
      reason: 'non_binary_labels_or_predictions',
    });
  });
});

describe('names of the Python framework, and what is no option', () => {
  const backend = defineBackend({ name: 'mine', evaluate: () => yes });

  it('are refused with the right name', async () => {
    expect(() => new Benchmark(suiteOf(1), backend, { batch_size: 2 } as object)).toThrow(
      'no option "batch_size"; write batchSize',
    );
    expect(() => new Benchmark(suiteOf(1), backend, { batchsize: 2 } as object)).toThrow(
      'did you mean batchSize?',
    );
    const benchmark = new Benchmark(suiteOf(1), backend);
    await expect(benchmark.run(records(1) as object)).rejects.toThrow('run({ records })');
    await expect(benchmark.run({ suite_description: {} } as object)).rejects.toThrow(
      'write suiteDescription',
    );
  });

  it('a prompt that is a text is the message of the user', async () => {
    const backend = defineBackend({
      name: 'mine',
      evaluate: () => ({ ...yes, prompt: 'Is it so?' }) as never,
    });
    const { evaluationResults } = await new Benchmark(suiteOf(2), backend).run();
    expect(evaluationResults[0]!.prompt).toEqual([{ role: 'user', content: 'Is it so?' }]);
  });

  it('a backend without a function gets a message where it is defined', () => {
    expect(() => defineBackend({} as never)).toThrow(
      /^defineBackend \(.*seeds\.test\.ts:\d+:\d+\): expected an object with name/,
    );
  });

  it('a suite with load and describe only gets a message', async () => {
    const suite = { load: async () => records(1), describe: async () => ({}) } as never;
    await expect(new Benchmark(suite, backend).run()).rejects.toThrow(
      /^suite without a name.*: name and task are missing; expected what defineSuite makes/,
    );
    await expect(runFile({ suite, backend, krisisVersion: '1' } as never)).rejects.toThrow(
      'name and task are missing',
    );
  });
});

describe('rubrics (003)', () => {
  const trait = new MetricRubricTrait({
    name: 'Lungs',
    metrics: ['recall'],
    tpInstructions: ['Mentions COPD'],
  });

  it('have the names of the seeds', () => {
    expect([...trait.getRequiredBuckets()]).toEqual(['tp', 'fn', 'fp']);
    expect(new Rubric({ metricTraits: [trait] }).getMetricTraitNames()).toEqual(['Lungs']);
  });

  it('refuse what is no trait', () => {
    expect(() => new Rubric({ metricTraits: [{ name: 'Lungs' } as never] })).toThrow(
      'metricTraits: {"name":"Lungs"} is no trait; expected one made with its class',
    );
  });

  it('count each place of a repeated item once, whatever its spelling', () => {
    const answer = 'Mitochondria split. New mitochondria grow; MITOCHONDRIA fuse.';
    const quotes = ['Mitochondria', 'mitochondria', 'MITOCHONDRIA', 'mitochondria'];
    expect(locateQuotes(answer, quotes, true).map(({ start }) => start)).toEqual([0, 24, 43, null]);
  });

  it('fail a dose that the quote cuts', () => {
    expect(searchQuote('Give 5 mg/kg once.', '5 mg')).toMatchObject({ place: null, quantity: '5 mg/kg' });
  });
});
