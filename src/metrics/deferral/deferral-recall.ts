import { deferralMetric } from './deferral-metric.ts';
import { deferralOf } from './deferral-table.ts';

/**
 * Of the rows it should defer on, the share where it did: TP / (TP + FN). No such rows: null.
 *
 * @example
 * ```ts
 * deferralRecall().compute([
 *   evaluationResult({ groundTruth: 1, abstained: true, metadata: { should_abstain: true } }),
 *   evaluationResult({ groundTruth: 1, abstained: true, metadata: { should_abstain: false } }),
 *   evaluationResult({ groundTruth: 1, prediction: 1, metadata: { should_abstain: false } }),
 * ]).value // => 1
 * ```
 */
export function deferralRecall() {
  return deferralMetric({
    name: 'deferral_recall',
    label: 'Deferral Recall',
    reads: 'deferred, of rows that need it',
    better: 'higher',
    emptyReason: 'no_must_defer_rows',
    proportion: (sample) => {
      const { fn, tp } = deferralOf(sample);
      return { successes: tp, n: tp + fn };
    },
  });
}
