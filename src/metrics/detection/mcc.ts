import { matthews } from '../binary-table.ts';
import { detectionMetric } from './detection-metric.ts';

/**
 * Matthews' correlation of calls with the truth. One class in the truth: null; constant calls against two classes: 0.
 * Source: Chicco & Jurman 2020.
 *
 * @example
 * ```ts
 * mcc({ positiveLabel: 'present' }).compute([
 *   evaluationResult({ prediction: 'present', groundTruth: 'present' }),
 *   evaluationResult({ prediction: 'absent', groundTruth: 'present' }),
 *   evaluationResult({ prediction: 'absent', groundTruth: 'absent' }),
 * ]).value // => 0.5
 * ```
 */
export const mcc = detectionMetric({
  name: 'mcc',
  label: 'MCC',
  reads: 'skill: 0 none, 1 perfect',
  estimate: matthews,
});
