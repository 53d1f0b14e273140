import { progressionMetric } from './progression-metric.ts';

/**
 * Of patients who are getting worse, the share called stable or improving. No such patients: null.
 *
 * @example
 * ```ts
 * falseReassuranceRate().compute([
 *   evaluationResult({ prediction: 'worsening', groundTruth: 'worsening' }),
 *   evaluationResult({ prediction: 'stable', groundTruth: 'worsening' }),
 *   evaluationResult({ prediction: 'stable', groundTruth: 'stable' }),
 * ]).value // => 0.5
 * ```
 */
export const falseReassuranceRate = progressionMetric({
  name: 'false_reassurance_rate',
  label: 'False Reassurance Rate',
  reads: 'called stable or improving, of those',
  better: 'lower',
  called: ['stable', 'improving'],
});
