import { countMetric } from '../built-in.ts';
import { outcomesOf } from '../outcomes.ts';

/**
 * The share of rows on which the model declined to answer.
 *
 * Formula: abstained / n = 1 - answer rate. No rows: null.
 *
 * @example
 * ```ts
 * abstentionRate().compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1 }),
 *   evaluationResult({ groundTruth: 1, abstained: true }),
 * ]).value // => 0.5
 * ```
 */
export function abstentionRate() {
  return countMetric({
    name: 'abstention_rate',
    label: 'Abstention Rate',
    family: 'correctness',
    reads: 'declined, of all rows',
    better: null,
    bounded: true,
    proportion: (sample) => ({ successes: outcomesOf(sample).abstained, n: outcomesOf(sample).n }),
    details: (sample) => ({ n_answered: outcomesOf(sample).notAbstained }),
  });
}
