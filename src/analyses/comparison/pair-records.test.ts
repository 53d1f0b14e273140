import { expect, it } from 'vitest';
import { rowsFrom } from '../../../test/compare-fixture.ts';
import { evaluationResult } from '../../core/evaluation-result.ts';
import { pairRecords } from './pair-records.ts';
import { scoredRun } from './scored-run.ts';

it('pairs what both have scored, and counts every record that is left out once', () => {
  const baseline = scoredRun([...rowsFrom('++x?x'), evaluationResult({ id: 'mine', groundTruth: 'yes' })]);
  const model = scoredRun([...rowsFrom('+x+++'), evaluationResult({ id: 'theirs', groundTruth: 'yes' })]);
  const { n, ids, leftOut } = pairRecords(baseline, model);
  expect([n, ids]).toEqual([1, ['r0000']]);
  expect(leftOut).toEqual({
    failedInBaseline: 2,
    failedInModel: 1,
    notRunInBaseline: 1,
    notRunInModel: 0,
    onlyInBaseline: 1,
    onlyInModel: 1,
    truthDiffers: 0,
  });
});

it('does not depend on the order of rows', () => {
  const rows = rowsFrom('+-o!');
  const turned = scoredRun([...rows].reverse());
  const pairing = pairRecords(scoredRun(rows), turned);
  expect(pairing.ids).toEqual(['r0000', 'r0001', 'r0002', 'r0003']);
  expect([...pairing.model.rows]).toEqual([3, 2, 1, 0]);
});

it('keeps the repeats of a record together', () => {
  const repeated = scoredRun([...rowsFrom('+-'), ...rowsFrom('-x')]);
  const pairing = pairRecords(scoredRun(rowsFrom('++')), repeated);
  expect([pairing.n, pairing.hasRepeats]).toEqual([2, true]);
  expect([...pairing.model.start]).toEqual([0, 2, 3]);
});

it('does not take the same id with another truth for the same record', () => {
  const other = scoredRun(rowsFrom('++', { groundTruth: 'no' }));
  expect(pairRecords(scoredRun(rowsFrom('++')), other)).toMatchObject({ n: 0, leftOut: { truthDiffers: 2 } });
});

it('cannot pair rows without ids', () => {
  const nameless = scoredRun([evaluationResult({ groundTruth: 'yes', prediction: 'yes' })]);
  expect(pairRecords(nameless, nameless).n).toBe(0);
});
