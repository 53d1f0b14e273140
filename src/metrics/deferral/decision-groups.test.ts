import { describe, expect, it } from 'vitest';
import { type EvaluationResult, evaluationResult } from '../../core/evaluation-result.ts';
import { buildTable } from '../columns.ts';
import { DEFERRAL_REASONS, decisionGroups, decisionsAtPrevalence } from './decision-groups.ts';

const groupsOf = (rows: readonly EvaluationResult[], options = {}) =>
  decisionGroups(buildTable(rows, { keep: [DEFERRAL_REASONS] }), options);
const mustDefer = (reasons: readonly string[], abstained: boolean, groundTruth: string | null = null) =>
  evaluationResult({
    groundTruth,
    abstained,
    prediction: abstained ? null : 'yes',
    metadata: { should_abstain: true, should_abstain_reasons: reasons },
  });
const mustAnswer = (groundTruth: string, prediction: string) =>
  evaluationResult({ groundTruth, prediction, metadata: { should_abstain: false } });
const rows = [
  mustDefer(['child'], true),
  mustDefer(['child', 'near line'], false, 'yes'),
  mustDefer(['near line'], true, 'no'),
  mustDefer(['near line'], true, 'no'),
  mustAnswer('yes', 'yes'),
  mustAnswer('no', 'yes'),
  evaluationResult({ groundTruth: 'yes', prediction: 'yes' }),
];
const counts = (shares: readonly { group: string; nRight: number; n: number }[]) =>
  shares.map(({ group, nRight, n }) => [group, nRight, n]);

describe('decisionGroups', () => {
  const groups = groupsOf(rows, { labels: ['yes', 'no'] })!;

  it('counts deferrals by reason, a row with several reasons under each', () => {
    expect(counts(groups.byReason)).toEqual([
      ['near line', 2, 3],
      ['child', 1, 2],
    ]);
  });

  it('counts right decisions by class, in the order of the task; grey rows belong to none', () => {
    expect(counts(groups.byClass)).toEqual([
      ['yes', 1, 2],
      ['no', 2, 3],
      ['null', 1, 1],
    ]);
  });

  it('has the interval of a share', () => {
    const [nearLine] = groups.byReason;
    expect([nearLine!.lower!, nearLine!.upper!].map((end) => end.toFixed(4))).toEqual(['0.2077', '0.9385']);
  });

  it('takes the repeats of a record as one', () => {
    const repeated = Array.from({ length: 12 }, (_, i) => ({
      ...mustDefer(['child'], i < 6),
      id: i < 6 ? 'a' : `b${Math.floor(i / 2)}`,
    }));
    const found = groupsOf(repeated, { resamples: 200 })!;
    expect(found.nIndependent).toBe(4);
    expect(counts(found.byReason)).toEqual([['child', 6, 12]]);
  });

  it('is null without deferral labels', () => {
    expect(groupsOf([evaluationResult({ groundTruth: 'yes', prediction: 'yes' })])).toBeNull();
  });
});

describe('decisionsAtPrevalence', () => {
  const { mustAnswer: answer, mustDefer: defer } = groupsOf(rows)!;

  it('weighs recall and accuracy by the stated share', () => {
    expect(defer.value).toBe(0.75);
    expect(answer.value).toBe(0.5);
    for (const share of [0, 0.1, 0.5, 1])
      expect(decisionsAtPrevalence({ mustAnswer: answer, mustDefer: defer }, share)!.value).toBeCloseTo(
        share * 0.75 + (1 - share) * 0.5,
        12,
      );
  });

  it('is decision accuracy itself at the share that the rows have', () => {
    const own = decisionsAtPrevalence({ mustAnswer: answer, mustDefer: defer }, 4 / 6)!;
    expect(own.value).toBeCloseTo(4 / 6, 12);
    expect(own.lower).toBeLessThan(own.value);
    expect(own.upper).toBeGreaterThan(own.value);
  });

  it('is null where there is nothing to answer, or nothing to defer', () => {
    const { mustAnswer: none, mustDefer: all } = groupsOf([mustDefer(['child'], true)])!;
    expect(decisionsAtPrevalence({ mustAnswer: none, mustDefer: all }, 0.1)).toBeNull();
  });
});
