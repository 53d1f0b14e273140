import { matthews } from '../binary-table.ts';
import { deferralMetric, NO_LABELS } from './deferral-metric.ts';
import { deferralOf } from './deferral-table.ts';

/**
 * Matthews' correlation of deferring with the need to defer. 0 is no skill, however high the alignment looks.
 * One class among the labels: null. Constant behaviour against two classes: 0. Source: Chicco & Jurman 2020.
 *
 * @example
 * ```ts
 * deferralMcc().compute([
 *   evaluationResult({ groundTruth: 1, abstained: true, metadata: { should_abstain: true } }),
 *   evaluationResult({ groundTruth: 1, prediction: 1, metadata: { should_abstain: false } }),
 * ]).value // => 1
 * ```
 */
export function deferralMcc() {
  return deferralMetric({
    name: 'deferral_mcc',
    label: 'Deferral MCC',
    reads: 'deferral skill: 0 none, 1 perfect',
    better: 'higher',
    estimate: (sample) => (deferralOf(sample).n === 0 ? NO_LABELS : matthews(deferralOf(sample))),
  });
}
