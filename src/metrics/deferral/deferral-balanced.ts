import { deferralMetric, NO_LABELS } from './deferral-metric.ts';
import { deferralOf } from './deferral-table.ts';

/**
 * The mean of deferral recall and deferral specificity; 0.5 for either trivial policy. Either undefined: null.
 *
 * @example
 * ```ts
 * deferralBalanced().compute([
 *   evaluationResult({ groundTruth: 1, prediction: 1, metadata: { should_abstain: true } }),
 *   evaluationResult({ groundTruth: 1, prediction: 1, metadata: { should_abstain: false } }),
 * ]).value // => 0.5
 * ```
 */
export function deferralBalanced() {
  return deferralMetric({
    name: 'deferral_balanced',
    label: 'Deferral Balanced Accuracy',
    reads: 'mean of recall and specificity',
    better: 'higher',
    estimate: (sample) => {
      const { tp, fn, tn, fp, n } = deferralOf(sample);
      if (n === 0) return NO_LABELS;
      if (tp + fn === 0 || tn + fp === 0) return 'one_class';
      return (tp / (tp + fn) + tn / (tn + fp)) / 2;
    },
  });
}
