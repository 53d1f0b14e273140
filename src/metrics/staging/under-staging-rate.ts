import { ordinalMetric } from './ordinal-metric.ts';

/**
 * The share of answers milder than the truth: the direction that loses time. Denominator: answered rows on the scale; none: null.
 *
 * @example
 * ```ts
 * underStagingRate({ labels: [1, 2, 3, 4, 5] }).compute([
 *   evaluationResult({ prediction: 2, groundTruth: 2 }),
 *   evaluationResult({ prediction: 1, groundTruth: 3 }),
 *   evaluationResult({ prediction: 5, groundTruth: 4 }),
 *   evaluationResult({ prediction: 4, groundTruth: 4 }),
 * ]).value // => 0.25
 * ```
 */
export const underStagingRate = ordinalMetric({
  name: 'under_staging_rate',
  label: 'Under-staging Rate',
  reads: 'called milder than it is',
  better: 'lower',
  share: (truth, prediction) => prediction < truth,
});
