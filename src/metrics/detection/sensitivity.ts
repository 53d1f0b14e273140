import { detectionMetric } from './detection-metric.ts';

/**
 * Found among those who have the condition: TP / (TP + FN). No such rows: null.
 * With `abstentions: 'itd'` an abstention counts as FN or FP. Sources: Schuetz 2012, Shinkins 2013.
 *
 * @example
 * ```ts
 * sensitivity({ positiveLabel: 'present' }).compute([
 *   evaluationResult({ prediction: 'present', groundTruth: 'present' }),
 *   evaluationResult({ prediction: 'absent', groundTruth: 'present' }),
 *   evaluationResult({ prediction: 'absent', groundTruth: 'absent' }),
 * ]).value // => 0.5
 * ```
 */
export const sensitivity = detectionMetric({
  name: 'sensitivity',
  label: 'Sensitivity',
  reads: 'found, of those with the condition',
  bounded: true,
  emptyReason: 'no_positive_rows',
  proportion: ({ fn, tp }) => ({ successes: tp, n: tp + fn }),
});
