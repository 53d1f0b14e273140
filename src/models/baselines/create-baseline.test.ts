import { describe, expect, it } from 'vitest';
import { KrisisError } from '../../core/errors.ts';
import type { PatientRecord } from '../../core/patient-record.ts';
import { defineSuite } from '../../suites/define-suite.ts';
import type { Task } from '../../suites/task.ts';
import type { VisibleRecord } from '../backend.ts';
import { BASELINES, createBaseline } from './create-baseline.ts';

/** High potassium, 6 of 8 training rows: yes at 5.5 and above; unsure near it. */
const task: Task = {
  id: 'demo/potassium',
  labels: ['yes', 'no'],
  positiveLabel: 'yes',
  ordered: false,
  arms: { natural: { instructions: 'Is potassium high?' } },
  defaultArm: 'natural',
  primaryEndpoint: { metric: 'accuracy', arm: 'natural', why: 'a test' },
  guideline: {
    answer: ({ potassium: k }) => (typeof k !== 'number' ? null : k >= 5.5 ? 'yes' : 'no'),
    shouldDefer: ({ potassium: k }) => typeof k === 'number' && Math.abs(k - 5.5) < 0.2,
  },
  oneLook: {
    answer: ({ potassium: k }) => (typeof k === 'number' && k >= 5 ? 'yes' : 'no'),
    shouldDefer: ({ potassium: k }) => k === null,
  },
};
const training = [6.5, 6.1, 4.2, 5.9, 6.8, 4.6, 5.7, 6.0].map(
  (potassium, i): PatientRecord => ({
    id: `t${i}`,
    features: { potassium },
    label: potassium >= 5.5 ? 'yes' : 'no',
    metadata: {},
  }),
);
const suite = defineSuite({
  name: 'demo/potassium',
  task,
  load: () => {
    throw new Error('a baseline does not load the cases that are evaluated');
  },
  training: () => training,
});

/** A record that breaks when anything but id and features is looked at. */
function guarded(id: string, potassium: number | null): VisibleRecord {
  const forbidden = (key: string) => (): never => {
    throw new Error(`a backend looked at ${key}`);
  };
  return Object.defineProperties(
    { id, features: { potassium } },
    {
      label: { get: forbidden('label'), enumerable: true },
      metadata: { get: forbidden('metadata'), enumerable: true },
    },
  );
}
const records = [guarded('low', 4.1), guarded('edge', 5.6), guarded('high', 6.6), guarded('none', null)];

describe('createBaseline', () => {
  it.each([
    ['majority', ['yes', 'yes', 'yes', 'yes']],
    ['always-defer', ['deferred', 'deferred', 'deferred', 'deferred']],
    ['guideline', ['no', 'yes', 'yes', 'deferred']],
    ['guideline-defer', ['no', 'deferred', 'yes', 'deferred']],
    ['one-look', ['no', 'yes', 'yes', 'deferred']],
    ['logistic', ['no', 'yes', 'yes', 'yes']],
  ])('%s answers as its rule says, and looks at id and features only', async (name, expected) => {
    const backend = await createBaseline(name, suite);
    expect(backend.name).toBe(`baseline/${name}`);
    const batch = await backend.evaluateBatch(records, task);
    expect(batch.map((r) => (r.abstained ? 'deferred' : r.prediction))).toEqual(expected);
    const single = await Promise.all(records.map((record) => backend.evaluate(record, task)));
    expect(single).toEqual(batch.map((response) => ({ ...response, promptMode: 'single' })));
  });

  it('random answers a label with confidence 1/k, and follows the seed', async () => {
    const many = Array.from({ length: 64 }, (_, i) => guarded(`r${i}`, 5));
    const askRandom = async (options?: { seed: number }) =>
      (await (await createBaseline('random', suite, options)).evaluateBatch(many, task)).map(
        (r) => r.prediction,
      );
    expect(new Set(await askRandom())).toEqual(new Set(['yes', 'no']));
    expect(await askRandom()).toEqual(await askRandom({ seed: 42 }));
    expect(await askRandom()).not.toEqual(await askRandom({ seed: 1 }));
    expect(await (await createBaseline('random', suite)).evaluate(many[0]!, task)).toMatchObject({
      confidence: 0.5,
      abstained: false,
    });
  });

  it('every baseline answers with a short text and without prompt or tokens, and shows no patient data', async () => {
    for (const name of BASELINES) {
      const response = await (await createBaseline(name, suite)).evaluate(guarded('a', 6.123), task);
      expect(response).toMatchObject({
        prompt: null,
        inputTokens: null,
        outputTokens: null,
        totalTokens: null,
      });
      expect(response.rawResponse).toMatch(/^.{5,120}$/);
      expect(response.rawResponse).not.toContain('6.123');
    }
  });

  it('majority states the share in training; deferring and guideline state nothing', async () => {
    const confidence = async (name: string) =>
      (await (await createBaseline(name, suite)).evaluate(records[2]!, task)).confidence;
    expect(
      await Promise.all(['majority', 'always-defer', 'guideline', 'guideline-defer'].map(confidence)),
    ).toEqual([0.75, null, null, null]);
  });

  it.each(['best', 'constructor', ''])('refuses the name "%s" and lists the known', async (name) => {
    const error = await createBaseline(name, suite).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(KrisisError);
    expect((error as Error).message).toBe(
      `no baseline "${name}"; available: majority, random, always-defer, guideline, guideline-defer, one-look, logistic, always-first`,
    );
  });

  it('suggests the baseline that was meant', async () => {
    await expect(createBaseline('baseline/majority', suite)).rejects.toThrow(
      'no baseline "baseline/majority"; did you mean majority?',
    );
  });

  it('says what a suite lacks', async () => {
    const { guideline: _, oneLook: __, ...without } = task;
    const bare = defineSuite({ name: 'demo/bare', task: without, load: () => [] });
    for (const name of ['majority', 'logistic'])
      await expect(createBaseline(name, bare)).rejects.toThrow(/majority and logistic need one/);
    for (const name of ['guideline', 'guideline-defer'])
      await expect(createBaseline(name, bare)).rejects.toThrow(/has no guideline/);
    await expect(createBaseline('one-look', bare)).rejects.toMatchObject({
      code: 'ERR_BASELINE_NOT_APPLICABLE',
      message: expect.stringContaining('has no rule of one look'),
    });
    for (const name of ['random', 'always-defer'])
      expect((await createBaseline(name, bare)).name).toBe(`baseline/${name}`);
  });
});
