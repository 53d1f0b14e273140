import { detectionMetric } from './detection-metric.ts';

/**
 * Cleared among those who do not have the condition: TN / (TN + FP). No such rows: null.
 * With `abstentions: 'itd'` an abstention counts as FN or FP. Sources: Schuetz 2012, Shinkins 2013.
 *
 * @example
 * ```ts
 * specificity({ positiveLabel: 'present' }).compute([
 *   evaluationResult({ prediction: 'present', groundTruth: 'present' }),
 *   evaluationResult({ prediction: 'absent', groundTruth: 'present' }),
 *   evaluationResult({ prediction: 'absent', groundTruth: 'absent' }),
 * ]).value // => 1
 * ```
 */
export const specificity = detectionMetric({
  name: 'specificity',
  label: 'Specificity',
  reads: 'cleared, of those without it',
  bounded: true,
  emptyReason: 'no_negative_rows',
  proportion: ({ fp, tn }) => ({ successes: tn, n: tn + fp }),
});
