import { expect, it } from 'vitest';
import { rowsFrom } from '../../../test/compare-fixture.ts';
import type { EvaluationResult } from '../../core/evaluation-result.ts';
import { findFlips } from './flips.ts';
import { pairRecords } from './pair-records.ts';
import { scoredRun } from './scored-run.ts';

const flips = (
  baseline: readonly EvaluationResult[],
  model: readonly EvaluationResult[],
  primary: string | null = 'accuracy',
) => findFlips(pairRecords(scoredRun(baseline), scoredRun(model)), primary);

it('lists the records that only one model got right, with what both said', () => {
  expect(flips(rowsFrom('+-+o'), rowsFrom('+++-'))).toEqual({
    by: 'accuracy',
    nCompared: 4,
    onlyBaselineRight: [],
    onlyModelRight: [
      {
        id: 'r0001',
        groundTruth: 'yes',
        shouldAbstain: true,
        baseline: [{ state: 'answered', prediction: 'no', confidence: 0.6 }],
        model: [{ state: 'answered', prediction: 'yes', confidence: 0.6 }],
      },
    ],
  });
  const [abstained, invalid] = flips(rowsFrom('++'), rowsFrom('o!')).onlyBaselineRight;
  expect(abstained!.model).toEqual([{ state: 'abstained', prediction: null, confidence: null }]);
  expect(invalid!.model[0]!.state).toBe('invalid');
});

it('lists a repeated record when one model is right more often by more than one half', () => {
  const often = [...rowsFrom('++'), ...rowsFrom('+-'), ...rowsFrom('--')];
  const { onlyModelRight, onlyBaselineRight } = flips(rowsFrom('--'), often);
  expect([onlyModelRight.map(({ id }) => id), onlyBaselineRight]).toEqual([['r0000'], []]);
  expect(onlyModelRight[0]!.model).toHaveLength(3);
  // Two of three against one of three, and one of two against none, are one half or less.
  const [two, one] = [[...rowsFrom('+++-'), ...rowsFrom('+-++'), ...rowsFrom('----')], rowsFrom('----')];
  expect(flips(two, one).onlyBaselineRight.map(({ id }) => id)).toEqual(['r0000', 'r0002']);
  const third = [...rowsFrom('+---'), ...rowsFrom('----'), ...rowsFrom('----')];
  expect(flips(two, third).onlyBaselineRight.map(({ id }) => id)).toEqual(['r0002']);
  expect(flips(rowsFrom('-'), [...rowsFrom('+'), ...rowsFrom('-')]).onlyModelRight).toEqual([]);
});

it('calls a record right that was rightly deferred, by the primary endpoint', () => {
  // Odd records should be deferred.
  const [baseline, model] = [rowsFrom('++oo'), rowsFrom('+o+o')];
  for (const primary of ['decision_accuracy', null]) {
    const found = flips(baseline, model, primary);
    expect(found.by).toBe('decision_accuracy');
    expect(found.onlyBaselineRight).toEqual([]);
    expect(found.onlyModelRight.map(({ id }) => id)).toEqual(['r0001', 'r0002']);
  }
});

it('counts the records that have a verdict, which are fewer than those that are paired', () => {
  // Neither deferring nor answering is known to be right on the last two.
  const rows = (word: string) =>
    rowsFrom(word).map((row, i) => (i < 2 ? row : { ...row, metadata: { should_abstain: null } }));
  const found = flips(rows('+o+-'), rows('-o-+'), 'decision_accuracy');
  expect(found).toMatchObject({ by: 'decision_accuracy', nCompared: 2, onlyModelRight: [] });
  expect(found.onlyBaselineRight.map(({ id }) => id)).toEqual(['r0000']);
});

it('falls back on accuracy without deferral labels, and for an endpoint that is no share', () => {
  const [baseline, model] = ['+-', '++'].map((word) => rowsFrom(word, { metadata: {} }));
  for (const primary of ['decision_accuracy', 'augrc', null])
    expect(flips(baseline!, model!, primary)).toMatchObject({
      by: 'accuracy',
      onlyModelRight: [{ id: 'r0001' }],
    });
});
