import { type DetectionOptions, detectionMetric } from './detection-metric.ts';

interface PrevalenceOptions extends DetectionOptions {
  /** The share with the condition where the model would be used. */
  readonly prevalence: number;
}

/**
 * PPV re-weighted to a stated prevalence pi: s pi / (s pi + (1 - sp)(1 - pi)), with sensitivity s and specificity sp of these rows.
 * Undefined where either is, or where no positive call is to be expected.
 *
 * @example
 * ```ts
 * ppvAtPrevalence({ positiveLabel: 1, prevalence: 0.1 }).compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1 }),
 *   evaluationResult({ prediction: 1, groundTruth: 0 }),
 *   evaluationResult({ prediction: 0, groundTruth: 0 }),
 * ]).value // => 0.18181818181818182
 * ```
 */
export function ppvAtPrevalence({ prevalence: pi, ...options }: PrevalenceOptions) {
  return detectionMetric({
    name: 'ppv_at_prevalence',
    label: `PPV at prevalence ${pi}`,
    reads: 'right, of positive calls, there',
    estimate: ({ tp, fn, tn, fp }) => {
      if (tp + fn === 0 || tn + fp === 0) return 'one_class';
      const hits = (tp / (tp + fn)) * pi;
      const alarms = (fp / (tn + fp)) * (1 - pi);
      return hits + alarms === 0 ? 'no_positive_calls' : hits / (hits + alarms);
    },
  })(options);
}

/**
 * NPV re-weighted to a stated prevalence pi: sp (1 - pi) / (sp (1 - pi) + (1 - s) pi).
 *
 * @example
 * ```ts
 * npvAtPrevalence({ positiveLabel: 1, prevalence: 0.5 }).compute([
 *   evaluationResult({ prediction: 0, groundTruth: 1 }),
 *   evaluationResult({ prediction: 0, groundTruth: 0 }),
 * ]).value // => 0.5
 * ```
 */
export function npvAtPrevalence({ prevalence: pi, ...options }: PrevalenceOptions) {
  return detectionMetric({
    name: 'npv_at_prevalence',
    label: `NPV at prevalence ${pi}`,
    reads: 'right, of negative calls, there',
    estimate: ({ tp, fn, tn, fp }) => {
      if (tp + fn === 0 || tn + fp === 0) return 'one_class';
      const cleared = (tn / (tn + fp)) * (1 - pi);
      const missed = (fn / (tp + fn)) * pi;
      return cleared + missed === 0 ? 'no_negative_calls' : cleared / (cleared + missed);
    },
  })(options);
}
