import { countMetric } from '../built-in.ts';
import { outcomesOf } from '../outcomes.ts';

/**
 * The share of rows on which the model did not abstain; also called coverage. An invalid answer is not an abstention.
 *
 * Formula: (answered + invalid) / n. No rows: null.
 *
 * @example
 * ```ts
 * answerRate().compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1 }),
 *   evaluationResult({ groundTruth: 1, abstained: true }),
 * ]).value // => 0.5
 * ```
 */
export function answerRate() {
  return countMetric({
    name: 'answer_rate',
    label: 'Answer Rate (Coverage)',
    family: 'correctness',
    reads: 'answered, of all rows',
    better: null,
    bounded: true,
    proportion: (sample) => ({ successes: outcomesOf(sample).notAbstained, n: outcomesOf(sample).n }),
    details: (sample) => ({ n_answered: outcomesOf(sample).notAbstained }),
  });
}
