import { countMetric } from '../built-in.ts';
import { outcomesOf } from '../outcomes.ts';

/**
 * Right answers over rows that were not abstained on. Invalid answers stay in the denominator.
 *
 * Formula: #correct / (answered + invalid). Nothing answered: null.
 * Read it with the answer rate: answering only the easy cases makes it high. Source: El-Yaniv & Wiener 2010.
 *
 * @example
 * ```ts
 * selectiveAccuracy().compute([
 *   evaluationResult({ prediction: 2, groundTruth: 2 }),
 *   evaluationResult({ prediction: 3, groundTruth: 2 }),
 *   evaluationResult({ groundTruth: 2, abstained: true }),
 * ]).value // => 0.5
 * ```
 */
export function selectiveAccuracy() {
  return countMetric({
    name: 'selective_accuracy',
    label: 'Selective Accuracy (answered only)',
    family: 'correctness',
    reads: 'right, of those it answered',
    better: 'higher',
    emptyReason: 'nothing_answered',
    bounded: true,
    proportion: (sample) => ({ successes: outcomesOf(sample).correct, n: outcomesOf(sample).notAbstained }),
    nEvaluated: (sample) => outcomesOf(sample).notAbstained,
    details: (sample) => {
      const { correct, notAbstained } = outcomesOf(sample);
      return { n_correct: correct, n_incorrect: notAbstained - correct };
    },
  });
}
