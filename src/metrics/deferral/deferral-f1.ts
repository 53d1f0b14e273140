import { f1Of } from '../binary-table.ts';
import { deferralMetric, NO_LABELS } from './deferral-metric.ts';
import { deferralOf } from './deferral-table.ts';

/**
 * F1 of deferring: 2TP / (2TP + FP + FN). 0/0 is null; a model that never defers but should scores 0.
 *
 * @example
 * ```ts
 * deferralF1().compute([
 *   evaluationResult({ groundTruth: 1, abstained: true, metadata: { should_abstain: true } }),
 *   evaluationResult({ groundTruth: 1, abstained: true, metadata: { should_abstain: false } }),
 * ]).value // => 0.6666666666666666
 * ```
 */
export function deferralF1() {
  return deferralMetric({
    name: 'deferral_f1',
    label: 'Deferral F1',
    reads: 'precision and recall of deferring',
    better: 'higher',
    estimate: (sample) => (deferralOf(sample).n === 0 ? NO_LABELS : f1Of(deferralOf(sample))),
  });
}
