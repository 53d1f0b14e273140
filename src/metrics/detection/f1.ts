import { f1Of } from '../binary-table.ts';
import { detectionMetric } from './detection-metric.ts';

/**
 * F1 of the positive class: 2TP / (2TP + FP + FN); 0/0 is null.
 *
 * @example
 * ```ts
 * f1({ positiveLabel: 'present' }).compute([
 *   evaluationResult({ prediction: 'present', groundTruth: 'present' }),
 *   evaluationResult({ prediction: 'absent', groundTruth: 'present' }),
 *   evaluationResult({ prediction: 'absent', groundTruth: 'absent' }),
 * ]).value // => 0.6666666666666666
 * ```
 */
export const f1 = detectionMetric({
  name: 'f1',
  label: 'F1',
  reads: 'sensitivity and PPV in one',
  estimate: f1Of,
});
