import { describe, expect, it } from 'vitest';
import { type EvaluationResult, evaluationResult } from '../core/evaluation-result.ts';
import { wilsonInterval } from '../statistics/proportions.ts';
import { buildTable } from './columns.ts';
import { balancedAccuracy, extendedMetrics } from './registry.ts';
import { Sample } from './sample.ts';
import { scoreTable } from './score.ts';
import { scoreMetrics } from './score-metrics.ts';

const rows = (n: number, row: Parameters<typeof evaluationResult>[0]): EvaluationResult[] =>
  Array.from({ length: n }, () => evaluationResult(row));
const silent = (groundTruth: string, n = 1) => rows(n, { groundTruth, abstained: true });
const right = (groundTruth: string, n = 1) => rows(n, { groundTruth, prediction: groundTruth });

describe('the n of a score', () => {
  it('is the denominator of its interval wherever it is a share', () => {
    const given = [
      ...rows(7, { groundTruth: 1, prediction: 1, confidence: 0.9, metadata: { should_abstain: false } }),
      ...rows(2, { groundTruth: 0, prediction: 1, confidence: 0.6, metadata: { should_abstain: true } }),
      ...rows(3, { groundTruth: 0, abstained: true, metadata: { should_abstain: true } }),
      ...rows(1, { groundTruth: null, prediction: 0, metadata: { should_abstain: true } }),
    ];
    const metrics = extendedMetrics({ task: 'detection', positiveLabel: 1, labelFromValues: true });
    const shares = scoreMetrics(Sample.of(given), metrics, { resamples: 0 }).filter(
      ({ interval }) => interval?.method === 'wilson',
    );
    expect(shares.length).toBeGreaterThan(15);
    for (const { name, value, nSuccesses, nEvaluated, interval } of shares) {
      expect(nSuccesses! / nEvaluated, name).toBe(value);
      expect([interval!.lower, interval!.upper], name).toEqual(wilsonInterval(nSuccesses!, nEvaluated));
    }
    const precision = shares.find(({ name }) => name === 'deferral_precision');
    expect(precision).toMatchObject({ nSuccesses: 3, nEvaluated: 3 });
  });

  it('decides whether a group is ranked', () => {
    const grouped = ['a', 'b'].flatMap((ward) => [
      ...rows(40, { groundTruth: 1, prediction: 1, metadata: { ward } }),
      ...rows(ward === 'a' ? 0 : 35, { groundTruth: 1, abstained: true, metadata: { ward } }),
    ]);
    const few = grouped.filter(({ metadata, abstained }, i) => metadata.ward === 'a' || abstained || i % 2);
    const { subgroups } = scoreTable(buildTable(few, { keep: ['ward'] }), {
      resamples: 0,
      groupBy: ['ward'],
    });
    const groups = (metric: string) => subgroups.find((found) => found.metric === metric)!.groups;
    expect(groups('accuracy').map(({ n_successes: x, n, ranked }) => [x, n, ranked])).toEqual([
      [40, 40, true],
      [20, 55, true],
    ]);
    expect(groups('selective_accuracy').map(({ n_successes: x, n, ranked }) => [x, n, ranked])).toEqual([
      [40, 40, true],
      [20, 20, false],
    ]);
  });

  it('does not give a withheld value away', () => {
    const few = rows(5, { groundTruth: 1, prediction: 1, metadata: { ward: 'a' } });
    const { subgroups } = scoreTable(buildTable(few, { keep: ['ward'] }), {
      resamples: 0,
      groupBy: ['ward'],
    });
    expect(subgroups[0]!.groups[0]).toMatchObject({ n: 5, n_successes: null, value: null });
  });
});

describe('balanced accuracy', () => {
  const answered = balancedAccuracy({ denominator: 'answered' });

  it('counts only rows with a label', () => {
    const given = [...right('a', 3), ...right('b', 2), ...silent('b'), ...rows(4, { groundTruth: null })];
    expect(balancedAccuracy().compute(given, { resamples: 0 }).nEvaluated).toBe(6);
    expect(answered.compute(given, { resamples: 0 }).nEvaluated).toBe(5);
  });

  it('is null when answers are left in fewer than two classes', () => {
    const given = [...right('a', 3), ...silent('b', 3)];
    expect(answered.compute(given)).toMatchObject({
      value: null,
      reason: 'fewer_than_two_classes_answered',
    });
    expect(balancedAccuracy().compute(given, { resamples: 0 }).value).toBe(0.5);
    expect(answered.compute([...silent('a'), ...silent('b')])).toMatchObject({
      value: null,
      reason: 'fewer_than_two_classes_answered',
    });
  });

  it('says how many classes were lost, and is then no value for a gate', () => {
    const given = [...right('a'), ...right('b'), ...silent('c', 2)];
    const lost = answered.compute(given, { resamples: 0 });
    expect(lost).toMatchObject({ value: 1, ungateable: '1 of 3 classes has no answer' });
    expect(lost.details).toMatchObject({ n_classes_without_answers: 1 });
    expect(answered.compute([...given, ...right('c')], { resamples: 0 }).ungateable).toBeNull();
    expect(balancedAccuracy().compute(given, { resamples: 0 }).ungateable).toBeNull();
  });
});
