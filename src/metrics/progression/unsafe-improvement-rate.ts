import { progressionMetric } from './progression-metric.ts';

/**
 * Of patients who are getting worse, the share called improving: the gravest mistake of the task. No such patients: null.
 *
 * @example
 * ```ts
 * unsafeImprovementRate().compute([
 *   evaluationResult({ prediction: 'worsening', groundTruth: 'worsening' }),
 *   evaluationResult({ prediction: 'stable', groundTruth: 'worsening' }),
 *   evaluationResult({ prediction: 'stable', groundTruth: 'stable' }),
 * ]).value // => 0
 * ```
 */
export const unsafeImprovementRate = progressionMetric({
  name: 'unsafe_improvement_rate',
  label: 'Unsafe Improvement Rate',
  reads: 'called improving, of those worsening',
  better: 'lower',
  called: ['improving'],
});
