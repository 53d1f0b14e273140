import { detectionMetric } from './detection-metric.ts';

/**
 * Right among positive calls: TP / (TP + FP). No positive call: null. It depends on prevalence; `ppvAtPrevalence` re-weights it.
 * With `abstentions: 'itd'` an abstention counts as FN or FP. Sources: Schuetz 2012, Shinkins 2013.
 *
 * @example
 * ```ts
 * ppv({ positiveLabel: 'present' }).compute([
 *   evaluationResult({ prediction: 'present', groundTruth: 'present' }),
 *   evaluationResult({ prediction: 'absent', groundTruth: 'present' }),
 *   evaluationResult({ prediction: 'absent', groundTruth: 'absent' }),
 * ]).value // => 1
 * ```
 */
export const ppv = detectionMetric({
  name: 'ppv',
  label: 'Positive Predictive Value',
  reads: 'right, of its positive calls',
  emptyReason: 'no_positive_calls',
  proportion: ({ fp, tp }) => ({ successes: tp, n: tp + fp }),
});
