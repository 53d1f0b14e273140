import { deferralMetric } from './deferral-metric.ts';
import { deferralOf } from './deferral-table.ts';

/**
 * Of the rows it deferred on, the share where it should: TP / (TP + FP). Never deferred: null.
 *
 * @example
 * ```ts
 * deferralPrecision().compute([
 *   evaluationResult({ groundTruth: 1, abstained: true, metadata: { should_abstain: true } }),
 *   evaluationResult({ groundTruth: 1, abstained: true, metadata: { should_abstain: false } }),
 *   evaluationResult({ groundTruth: 1, prediction: 1, metadata: { should_abstain: false } }),
 * ]).value // => 0.5
 * ```
 */
export function deferralPrecision() {
  return deferralMetric({
    name: 'deferral_precision',
    label: 'Deferral Precision',
    reads: 'needed, of its deferrals',
    better: 'higher',
    emptyReason: 'never_deferred',
    proportion: (sample) => {
      const { fp, tp } = deferralOf(sample);
      return { successes: tp, n: tp + fp };
    },
  });
}
