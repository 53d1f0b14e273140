import { ordinalMetric } from './ordinal-metric.ts';

/**
 * The share of answers at most one position from the truth. Denominator: answered rows on the scale; none: null.
 *
 * @example
 * ```ts
 * offByOneAccuracy({ labels: [1, 2, 3, 4, 5] }).compute([
 *   evaluationResult({ prediction: 2, groundTruth: 2 }),
 *   evaluationResult({ prediction: 1, groundTruth: 3 }),
 *   evaluationResult({ prediction: 5, groundTruth: 4 }),
 *   evaluationResult({ prediction: 4, groundTruth: 4 }),
 * ]).value // => 0.75
 * ```
 */
export const offByOneAccuracy = ordinalMetric({
  name: 'off_by_one_accuracy',
  label: 'Off-by-one Accuracy',
  reads: 'at most one stage off',
  better: 'higher',
  share: (truth, prediction) => Math.abs(truth - prediction) <= 1,
});
