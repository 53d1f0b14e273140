import { detectionMetric } from './detection-metric.ts';

/**
 * How much a positive call raises the odds of the condition: sensitivity / (1 - specificity). No false alarm at all: null.
 *
 * @example
 * ```ts
 * likelihoodRatioPositive({ positiveLabel: 1 }).compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1 }),
 *   evaluationResult({ prediction: 1, groundTruth: 0 }),
 *   evaluationResult({ prediction: 0, groundTruth: 0 }),
 * ]).value // => 2
 * ```
 */
export const likelihoodRatioPositive = detectionMetric({
  name: 'likelihood_ratio_positive',
  label: 'Likelihood Ratio (positive)',
  reads: 'a positive call multiplies the odds',
  estimate: ({ tp, fn, tn, fp }) => {
    if (tp + fn === 0 || tn + fp === 0) return 'one_class';
    return fp === 0 ? 'no_false_alarms' : tp / (tp + fn) / (fp / (tn + fp));
  },
});

/**
 * How much a negative call lowers the odds of the condition: (1 - sensitivity) / specificity. No true negative: null.
 *
 * @example
 * ```ts
 * likelihoodRatioNegative({ positiveLabel: 1 }).compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1 }),
 *   evaluationResult({ prediction: 0, groundTruth: 1 }),
 *   evaluationResult({ prediction: 0, groundTruth: 0 }),
 * ]).value // => 0.5
 * ```
 */
export const likelihoodRatioNegative = detectionMetric({
  name: 'likelihood_ratio_negative',
  label: 'Likelihood Ratio (negative)',
  reads: 'a negative call multiplies the odds',
  better: 'lower',
  estimate: ({ tp, fn, tn, fp }) => {
    if (tp + fn === 0 || tn + fp === 0) return 'one_class';
    return tn === 0 ? 'nobody_cleared' : fn / (tp + fn) / (tn / (tn + fp));
  },
});
