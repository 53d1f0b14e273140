import { describe, expect, it } from 'vitest';
import { riskBounds } from '../analyses/threshold/confidence-steps.ts';
import { type EvaluationResult, evaluationResult } from '../core/evaluation-result.ts';
import { buildTable } from '../metrics/columns.ts';
import { exactUpperBound } from '../statistics/proportions.ts';

const row = (id: string, right: boolean, confidence: number, more: Partial<EvaluationResult> = {}) =>
  evaluationResult({ id, prediction: right ? 'yes' : 'no', groundTruth: 'yes', confidence, ...more });
const bounds = (rows: readonly EvaluationResult[], thresholds: readonly number[], cluster?: string) =>
  riskBounds(buildTable(rows, { keep: ['patient'] }).scored, thresholds, { cluster, seed: 1 });

describe('riskBounds', () => {
  it('is the exact bound at every threshold', () => {
    const rows = [row('a', true, 0.9), row('b', false, 0.8), row('c', true, 0.7), row('d', true, 0.7)];
    expect(bounds(rows, [0.95, 0.9, 0.8, 0.7])).toEqual([
      null,
      exactUpperBound(0, 1),
      exactUpperBound(1, 2),
      exactUpperBound(1, 4),
    ]);
  });

  it('takes any answer on a row that should be deferred for a failure, and leaves out what has no label', () => {
    const unanswerable = row('a', true, 0.9, { groundTruth: null, metadata: { should_abstain: true } });
    expect(bounds([unanswerable], [0])).toEqual([1]);
    const toDefer = row('a', true, 0.9, { metadata: { should_abstain: true } });
    expect(bounds([toDefer], [0])).toEqual([1]);
    expect(bounds([row('a', true, 0.9, { groundTruth: null })], [0])).toEqual([null]);
  });

  it('counts a repeated record once, by the majority', () => {
    const thrice = [row('a', true, 0.9), row('a', true, 0.8), row('a', false, 0.7)];
    // At 0.9 one of three repeats is accepted, at 0.8 two.
    expect(bounds(thrice, [0.9, 0.8, 0.7])).toEqual([null, exactUpperBound(0, 1), exactUpperBound(0, 1)]);
    const copies = Array.from({ length: 50 }, (_, i) => row(`r${i}`, i > 0, 0.9));
    expect(bounds([...copies, ...copies, ...copies], [0.9])).toEqual(bounds(copies, [0.9]));
    // A tie between right and wrong counts as wrong.
    expect(bounds([row('a', true, 0.9), row('a', false, 0.9)], [0.9])).toEqual([1]);
  });

  it('counts one record per cluster, the same for the same seed', () => {
    const rows = Array.from({ length: 100 }, (_, i) =>
      row(`r${i}`, i >= 10, 0.9, { metadata: { patient: Math.floor(i / 10) } }),
    );
    // One of ten patients has only wrong answers.
    expect(bounds(rows, [0.9], 'patient')).toEqual([exactUpperBound(1, 10)]);
    const mixed = rows.map((one, i) => ({ ...one, call: String(i % 20) }));
    const [bound] = bounds(mixed, [0.9]);
    expect(bound).toBeGreaterThanOrEqual(exactUpperBound(0, 20)!);
    expect(bounds(mixed, [0.9])).toEqual([bound]);
  });
});
