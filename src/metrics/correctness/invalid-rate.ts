import { countMetric } from '../built-in.ts';
import { outcomesOf } from '../outcomes.ts';

/**
 * The share of rows where the model neither abstained nor gave a usable answer.
 *
 * Formula: #invalid / n, refusals included. No rows: null.
 *
 * @example
 * ```ts
 * invalidRate().compute([
 *   evaluationResult({ prediction: null, groundTruth: 1 }),
 *   evaluationResult({ prediction: 1, groundTruth: 1 }),
 * ]).value // => 0.5
 * ```
 */
export function invalidRate() {
  return countMetric({
    name: 'invalid_rate',
    label: 'Invalid Rate',
    family: 'correctness',
    reads: 'no usable answer, of all rows',
    better: 'lower',
    bounded: true,
    proportion: (sample) => ({ successes: outcomesOf(sample).invalid, n: outcomesOf(sample).n }),
    details: (sample) => ({ n_invalid: outcomesOf(sample).invalid }),
  });
}
