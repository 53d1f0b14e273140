import { describe, expect, it } from 'vitest';
import { task } from '../../../test/engine-fixture.ts';
import type { PatientRecord } from '../../core/patient-record.ts';
import type { Backend } from '../backend.ts';
import { BackendError } from '../backend-error.ts';
import { parsePersonality } from './personality.ts';
import { simulatedBackend } from './simulated-backend.ts';

/** Every fourth record should be deferred on, and every eighth has no answer. */
const records: PatientRecord[] = Array.from({ length: 2000 }, (_, i) => ({
  id: `r${i}`,
  features: { value: i },
  label: i % 8 === 0 ? null : i % 3 === 0 ? 'yes' : 'no',
  metadata: { should_abstain: i % 4 === 0 },
}));
const some = records.slice(0, 40);
const create = (text: string, seed = 42, known = records) =>
  simulatedBackend(`simulated/${text}`, parsePersonality(text), known, seed);
const mustAnswer = records.filter(({ metadata }) => metadata.should_abstain === false);
const mustDefer = records.filter(({ metadata }) => metadata.should_abstain === true);
const askAll = (backend: Backend, asked: readonly PatientRecord[]) => backend.evaluateBatch(asked, task);
const share = <T>(items: readonly T[], which: (item: T, i: number) => boolean) =>
  items.filter(which).length / items.length;

describe('simulatedBackend', () => {
  it('says that it is simulated, and what it was told to be', () => {
    const backend = create('careful?accuracy=0.7', 5);
    expect(backend.simulated).toBe(true);
    expect(backend.parameters).toMatchObject({ accuracy: 0.7, seed: 5 });
  });

  it('answers by seed and record alone: not by order, batch, mode or what it knows of others', async () => {
    const all = await askAll(create('careful'), some);
    const reversed = await askAll(create('careful'), [...some].reverse());
    expect(reversed.reverse()).toEqual(all);
    const alone = await create('careful', 42, some.slice(7, 8)).evaluate(some[7]!, task);
    expect(alone).toEqual({ ...all[7], promptMode: 'single' });
    const shown = await create('careful').evaluate({ ...some[7]!, features: {} }, task);
    expect(shown).toEqual(alone);
    expect(await askAll(create('careful', 43), some)).not.toEqual(all);
  });

  // Four standard errors of a share among 1,500 (500) rows are at most 0.052 (0.09).
  it.each([0.5, 0.8, 0.9])('is right as often as it is told: %s', async (accuracy) => {
    const text = `careful?accuracy=${accuracy}&spread=0.2&needless_deferral=0&invalid=0`;
    const answers = await askAll(create(text), mustAnswer);
    const right = share(answers, ({ prediction }, i) => prediction === mustAnswer[i]!.label);
    expect(Math.abs(right - accuracy)).toBeLessThan(0.052);
  });

  it('defers where it should, and where it should not, as often as it is told', async () => {
    const backend = create('careful?deferral_recall=0.7&needless_deferral=0.1');
    const deferred = async (asked: readonly PatientRecord[]) =>
      share(await askAll(backend, asked), ({ abstained }) => abstained);
    expect(Math.abs((await deferred(mustDefer)) - 0.7)).toBeLessThan(0.09);
    expect(Math.abs((await deferred(mustAnswer)) - 0.1)).toBeLessThan(0.052);
  });

  it.each([
    [0, 0],
    [0.5, 0.15],
    [1, 0.3],
    [-0.5, -0.35],
  ])('with overconfidence %s is surer than right by %s', async (overconfidence, excess) => {
    // Right 7 times of 10: calibrated says 0.7, always certain says 1, half as sure says 0.35.
    const text = `careful?accuracy=0.7&spread=0&overconfidence=${overconfidence}&needless_deferral=0`;
    const answers = await askAll(create(text), mustAnswer);
    const right = share(answers, ({ prediction }, i) => prediction === mustAnswer[i]!.label);
    const sure = answers.reduce((sum, { confidence }) => sum + confidence!, 0) / answers.length;
    expect(Math.abs(sure - right - excess)).toBeLessThan(0.06);
  });

  it('answers outside the schema and refuses as often as it is told', async () => {
    const answers = await askAll(create('careful?invalid=0.2&refusal=0.1'), records);
    expect(Math.abs(share(answers, ({ invalid }) => invalid !== undefined) - 0.2)).toBeLessThan(0.04);
    expect(Math.abs(share(answers, ({ refused }) => refused === true) - 0.1)).toBeLessThan(0.04);
  });

  it('gives no label where it defers, and never the right one where there is none', async () => {
    const answers = await askAll(create('careful'), records);
    for (const { abstained, prediction, confidence } of answers) {
      expect(abstained ? prediction === null && confidence! <= 0.5 : task.labels.includes(prediction!)).toBe(
        true,
      );
    }
  });

  it('gives a reason for deferring, as often a right one as its answers are right', async () => {
    const records = Array.from({ length: 400 }, (_, i) => ({
      id: `r${i}`,
      label: null,
      metadata: { should_abstain: true, should_abstain_reasons: ['missing_sodium'] },
    }));
    const deferralReasons = { missing_sodium: { general: 'data_missing' } } as const;
    const careful = parsePersonality('careful?deferral_recall=1&refusal=0&invalid=0&malformed=0');
    const backend = simulatedBackend('m', careful, records, 1);
    const reasons = async (defaultArm: string) => {
      const asked = { ...task, defaultArm, deferralReasons };
      const rows = await backend.evaluateBatch(
        records.map(({ id }) => ({ id, features: {} })),
        asked,
      );
      return Map.groupBy(rows, ({ deferralReason }) => deferralReason);
    };
    const natural = await reasons('natural');
    expect([...natural.keys()].sort()).toEqual(['data_missing', 'other']);
    expect(natural.get('data_missing')!.length).toBeGreaterThan(300);
    expect([...(await reasons('instructed')).keys()].sort()).toEqual(['missing_sodium', 'other']);
  });

  it('breaks whole batches and keeps every other row of them', async () => {
    const backend = create('careful?malformed=1');
    const error = await askAll(backend, some).catch((thrown: BackendError) => thrown);
    expect(error).toBeInstanceOf(BackendError);
    const { fault, partial } = error as BackendError;
    expect([fault, partial.length]).toEqual(['malformed', 40]);
    const kept = await askAll(create('careful'), some);
    expect(partial).toEqual(kept.map((answer, i) => (i % 2 === 0 ? answer : null)));
    await expect(backend.evaluate(some[0]!, task)).resolves.toMatchObject({ promptMode: 'single' });
    await expect(askAll(backend, some.slice(0, 1))).rejects.toMatchObject({ partial: [] });
  });

  it('fails the first time where it is flaky, and every time on a poisoned record', async () => {
    const flaky = create('careful?flaky=1');
    await expect(askAll(flaky, some)).rejects.toMatchObject({ fault: 'network' });
    await expect(askAll(flaky, some)).resolves.toHaveLength(40);
    const poisoned = create('careful?poisoned=1');
    for (let time = 0; time < 3; time++)
      await expect(poisoned.evaluate(some[0]!, task)).rejects.toMatchObject({ fault: 'server' });
  });
});
