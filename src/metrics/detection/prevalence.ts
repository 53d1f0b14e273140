import { countMetric } from '../built-in.ts';
import type { Sample } from '../sample.ts';
import type { DetectionOptions } from './detection-metric.ts';
import { detectionTable } from './detection-table.ts';

/**
 * The share of rows that have the condition, abstentions included: what PPV and NPV rest on. No rows: null.
 *
 * @example
 * ```ts
 * prevalence({ positiveLabel: 'present' }).compute([
 *   evaluationResult({ prediction: 'present', groundTruth: 'present' }),
 *   evaluationResult({ prediction: 'absent', groundTruth: 'present' }),
 *   evaluationResult({ prediction: 'absent', groundTruth: 'absent' }),
 * ]).value // => 0.6666666666666666
 * ```
 */
export function prevalence({ positiveLabel }: Pick<DetectionOptions, 'positiveLabel'>) {
  const shared = {
    name: 'prevalence',
    label: 'Prevalence',
    reads: 'have the condition, of all',
    better: null,
    family: 'detection',
  } as const;
  if (positiveLabel === undefined)
    return countMetric({ ...shared, estimate: () => 'positive_label_not_given' });
  const count = (sample: Sample) => {
    const table = detectionTable(sample, positiveLabel);
    const positive = table.tp + table.fn + table.abstainedPositive;
    return { successes: positive, n: positive + table.fp + table.tn + table.abstainedNegative };
  };
  return countMetric({ ...shared, proportion: count, nEvaluated: (sample) => count(sample).n });
}
