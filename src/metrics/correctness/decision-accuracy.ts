import { countMetric } from '../built-in.ts';
import { deferralOf } from '../deferral/deferral-table.ts';

/**
 * Right decisions over labelled rows: deferred where it should defer, answered rightly where it should answer. A lucky answer on a
 * must-defer row is a failure.
 *
 * Formula: (#(should defer and deferred) + #(should answer and answered right)) / #labelled. Nothing labelled: null.
 * The headline wherever deferral labels exist.
 *
 * @example
 * ```ts
 * decisionAccuracy().compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1, metadata: { should_abstain: false } }),
 *   evaluationResult({ prediction: 1, groundTruth: 1, metadata: { should_abstain: true } }),
 * ]).value // => 0.5
 * ```
 */
export function decisionAccuracy() {
  return countMetric({
    name: 'decision_accuracy',
    label: 'Decision Accuracy',
    family: 'correctness',
    reads: 'right to defer, or right answer',
    better: 'higher',
    emptyReason: 'no_deferral_labels',
    bounded: true,
    proportion: (sample) => {
      const { tp, correctWhenSafe, n } = deferralOf(sample);
      return { successes: tp + correctWhenSafe, n };
    },
    nEvaluated: (sample) => deferralOf(sample).n,
    nAbstained: (sample) => deferralOf(sample).abstained,
  });
}
