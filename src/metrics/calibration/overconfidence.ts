import { confidenceMetric, NO_CONFIDENCE } from '../built-in.ts';

/**
 * Mean confidence minus share right: above 0 the model is surer than it should be, below 0 less sure.
 *
 * Formula: mean c - mean z. Nothing usable: null.
 *
 * @example
 * ```ts
 * overconfidence().compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1, confidence: 0.9 }),
 *   evaluationResult({ prediction: 0, groundTruth: 1, confidence: 0.6 }),
 * ]).value // => 0.25
 * ```
 */
export function overconfidence() {
  return confidenceMetric({
    name: 'overconfidence',
    label: 'Overconfidence',
    family: 'calibration',
    reads: 'above 0: surer than right',
    better: null,
    estimate: ({ confidence: { size, confidence, count, n, nErrors } }) => {
      if (n === 0) return NO_CONFIDENCE;
      let sum = 0;
      for (let b = 0; b < size; b++) sum += count[b]! * confidence[b]!;
      return (sum - (n - nErrors)) / n;
    },
  });
}
