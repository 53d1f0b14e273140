import { ordinalMetric } from './ordinal-metric.ts';

/**
 * The share of answers graver than the truth. Denominator: answered rows on the scale; none: null.
 *
 * @example
 * ```ts
 * overStagingRate({ labels: [1, 2, 3, 4, 5] }).compute([
 *   evaluationResult({ prediction: 2, groundTruth: 2 }),
 *   evaluationResult({ prediction: 1, groundTruth: 3 }),
 *   evaluationResult({ prediction: 5, groundTruth: 4 }),
 *   evaluationResult({ prediction: 4, groundTruth: 4 }),
 * ]).value // => 0.25
 * ```
 */
export const overStagingRate = ordinalMetric({
  name: 'over_staging_rate',
  label: 'Over-staging Rate',
  reads: 'called graver than it is',
  better: 'lower',
  share: (truth, prediction) => prediction > truth,
});
