import { deferralMetric } from './deferral-metric.ts';
import { deferralOf } from './deferral-table.ts';

/**
 * Of the rows it should answer, the share where it did: TN / (TN + FP). No such rows: null.
 *
 * @example
 * ```ts
 * deferralSpecificity().compute([
 *   evaluationResult({ groundTruth: 1, abstained: true, metadata: { should_abstain: true } }),
 *   evaluationResult({ groundTruth: 1, abstained: true, metadata: { should_abstain: false } }),
 *   evaluationResult({ groundTruth: 1, prediction: 1, metadata: { should_abstain: false } }),
 * ]).value // => 0.5
 * ```
 */
export function deferralSpecificity() {
  return deferralMetric({
    name: 'deferral_specificity',
    label: 'Deferral Specificity',
    reads: 'answered, of rows safe to answer',
    better: 'higher',
    emptyReason: 'no_safe_rows',
    proportion: (sample) => {
      const { fp, tn } = deferralOf(sample);
      return { successes: tn, n: tn + fp };
    },
  });
}
