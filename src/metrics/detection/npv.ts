import { detectionMetric } from './detection-metric.ts';

/**
 * Right among negative calls: TN / (TN + FN). No negative call: null. It depends on prevalence; `npvAtPrevalence` re-weights it.
 * With `abstentions: 'itd'` an abstention counts as FN or FP. Sources: Schuetz 2012, Shinkins 2013.
 *
 * @example
 * ```ts
 * npv({ positiveLabel: 'present' }).compute([
 *   evaluationResult({ prediction: 'present', groundTruth: 'present' }),
 *   evaluationResult({ prediction: 'absent', groundTruth: 'present' }),
 *   evaluationResult({ prediction: 'absent', groundTruth: 'absent' }),
 * ]).value // => 0.5
 * ```
 */
export const npv = detectionMetric({
  name: 'npv',
  label: 'Negative Predictive Value',
  reads: 'right, of its negative calls',
  emptyReason: 'no_negative_calls',
  proportion: ({ fn, tn }) => ({ successes: tn, n: tn + fn }),
});
