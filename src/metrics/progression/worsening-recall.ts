import { progressionMetric } from './progression-metric.ts';

/**
 * Of patients who are getting worse, the share called worsening. No such patients: null.
 *
 * @example
 * ```ts
 * worseningRecall().compute([
 *   evaluationResult({ prediction: 'worsening', groundTruth: 'worsening' }),
 *   evaluationResult({ prediction: 'stable', groundTruth: 'worsening' }),
 *   evaluationResult({ prediction: 'stable', groundTruth: 'stable' }),
 * ]).value // => 0.5
 * ```
 */
export const worseningRecall = progressionMetric({
  name: 'worsening_recall',
  label: 'Worsening Recall',
  reads: 'called so, of those worsening',
  better: 'higher',
  called: ['worsening'],
});
