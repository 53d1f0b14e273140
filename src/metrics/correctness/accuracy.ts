import { countMetric } from '../built-in.ts';
import { outcomesOf } from '../outcomes.ts';

/**
 * Right answers over all rows: an abstention and an invalid answer both count as wrong.
 *
 * Formula: #correct / n. No rows: null. All abstained: 0.
 * Never read it alone: a model that rightly defers on hard cases scores low here.
 *
 * @example
 * ```ts
 * accuracy().compute([
 *   evaluationResult({ prediction: 'present', groundTruth: 'present' }),
 *   evaluationResult({ prediction: 'absent', groundTruth: 'absent' }),
 *   evaluationResult({ prediction: 'present', groundTruth: 'present', abstained: true }),
 * ]).value // => 0.6666666666666666
 * ```
 */
export function accuracy() {
  return countMetric({
    name: 'accuracy',
    label: 'Accuracy',
    family: 'correctness',
    reads: 'right, of all rows',
    better: 'higher',
    bounded: true,
    proportion: (sample) => ({ successes: outcomesOf(sample).correct, n: outcomesOf(sample).n }),
    details: (sample) => {
      const { n, correct } = outcomesOf(sample);
      return { n_correct: correct, n_incorrect: n - correct, treat_abstention_as_neutral: false };
    },
  });
}
