import { countMetric } from '../built-in.ts';
import { outcomesOf } from '../outcomes.ts';

/**
 * The share of all rows with a wrong answer that was not held back. Invalid answers count; read it with the invalid rate.
 *
 * Formula: #(not abstained and wrong) / n. No rows: null. Source: the cost view of Whitehead 2022.
 *
 * @example
 * ```ts
 * unsafeAnswerRate().compute([
 *   evaluationResult({ prediction: 0, groundTruth: 1 }),
 *   evaluationResult({ groundTruth: 1, abstained: true }),
 * ]).value // => 0.5
 * ```
 */
export function unsafeAnswerRate() {
  return countMetric({
    name: 'unsafe_answer_rate',
    label: 'Unsafe Answer Rate',
    family: 'correctness',
    reads: 'wrong and not held back',
    better: 'lower',
    bounded: true,
    proportion: (sample) => {
      const { wrong, invalid, n } = outcomesOf(sample);
      return { successes: wrong + invalid, n };
    },
  });
}
