import { describe, expect, it } from 'vitest';
import type { PatientRecord } from '../../core/patient-record.ts';
import { defineSuite } from '../../suites/define-suite.ts';
import type { Suite } from '../../suites/suite.ts';
import { trainingRows } from './training-rows.ts';

const record = (id: string, label: PatientRecord['label']): PatientRecord => ({
  id,
  features: { id },
  label,
  metadata: { should_abstain: label === null },
});
const task: Suite['task'] = {
  id: 'demo/stage',
  labels: [1, 2, 3],
  ordered: true,
  arms: { natural: { instructions: 'Stage it.' } },
  defaultArm: 'natural',
  primaryEndpoint: { metric: 'accuracy', arm: 'natural', why: 'a test' },
};
const suite = (training?: PatientRecord[]) =>
  defineSuite({
    name: 'demo/stage',
    task,
    load: () => {
      throw new Error('the cases that are evaluated are not for learning');
    },
    ...(training && { training: () => training }),
  });

describe('trainingRows', () => {
  it('gives labels as places in the label order, however they are spelt, and leaves out rows without one', async () => {
    const rows = await trainingRows(suite([record('a', '3'), record('b', null), record('c', 1)]));
    expect(rows).toEqual([
      { features: { id: 'a' }, label: 2 },
      { features: { id: 'c' }, label: 0 },
    ]);
  });

  it.each([
    ['no training part', suite()],
    ['an empty one', suite([])],
    ['one without labels', suite([record('a', null)])],
    ['no training() at all', { name: 'demo/stage', task } as Suite],
  ])('refuses %s, and says what to do', async (_, without) => {
    await expect(trainingRows(without)).rejects.toThrow(
      'suite demo/stage has no training part with labels, and the baselines majority and logistic need one: evaluate only a part of the rows (test_size: 0.5 in the YAML of a table, testSize in TypeScript)',
    );
  });

  it('refuses a label outside the label space', async () => {
    const wrong = {
      name: 'demo/stage',
      task,
      training: async () => [record('a', 'mild')],
    } as unknown as Suite;
    await expect(trainingRows(wrong)).rejects.toThrow(
      'suite demo/stage, training case a: label "mild" is not among the labels: 1, 2, 3',
    );
  });
});
