import { ordinalMetric } from './ordinal-metric.ts';

/**
 * The share of answers at least two positions milder than the truth. Denominator: answered rows on the scale; none: null.
 *
 * @example
 * ```ts
 * severeUnderStagingRate({ labels: [1, 2, 3, 4, 5] }).compute([
 *   evaluationResult({ prediction: 2, groundTruth: 2 }),
 *   evaluationResult({ prediction: 1, groundTruth: 3 }),
 *   evaluationResult({ prediction: 5, groundTruth: 4 }),
 *   evaluationResult({ prediction: 4, groundTruth: 4 }),
 * ]).value // => 0.25
 * ```
 */
export const severeUnderStagingRate = ordinalMetric({
  name: 'severe_under_staging_rate',
  label: 'Severe Under-staging Rate',
  reads: 'milder by two stages or more',
  better: 'lower',
  share: (truth, prediction) => prediction <= truth - 2,
});
