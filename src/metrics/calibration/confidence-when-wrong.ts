import { confidenceMetric, NO_CONFIDENCE } from '../built-in.ts';

/**
 * The mean confidence stated for wrong answers: how convincing the model is when it is mistaken.
 *
 * Formula: mean of c over usable rows with z = 0. No usable wrong answer: null. Read it with the accuracy: a model with one wrong answer may
 * have any value.
 *
 * @example
 * ```ts
 * confidenceWhenWrong().compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1, confidence: 0.9 }),
 *   evaluationResult({ prediction: 0, groundTruth: 1, confidence: 0.6 }),
 *   evaluationResult({ prediction: 0, groundTruth: 1, confidence: 0.8 }),
 * ]).value // => 0.7
 * ```
 */
export function confidenceWhenWrong() {
  return confidenceMetric({
    name: 'confidence_when_wrong',
    label: 'Confidence When Wrong',
    family: 'calibration',
    reads: 'mean confidence of wrong answers',
    better: 'lower',
    estimate: ({ confidence: { size, confidence, errors, n, nErrors } }) => {
      if (n === 0) return NO_CONFIDENCE;
      if (nErrors === 0) return 'no_wrong_answers';
      let sum = 0;
      for (let b = 0; b < size; b++) sum += errors[b]! * confidence[b]!;
      return sum / nErrors;
    },
    nEvaluated: ({ confidence }) => confidence.nErrors,
  });
}
