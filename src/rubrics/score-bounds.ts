import type { Bounds } from '../core/index.ts';
import type { ConfusionCounts } from './confusion-lists.ts';
import { metricOfCounts } from './trait-metrics.ts';
import type { Bucket, EvaluationMode, TraitMetric } from './traits/vocabulary.ts';

/** How many items are unscored. */
export interface OpenItems {
  readonly required: number;
  readonly forbidden: number;
}

/**
 * The least and the greatest that a metric could have been, whatever the verdicts on the unscored items; over the outcomes in which it has a value, and null when no
 * item is unscored or no outcome gives one.
 *
 * Every metric is a ratio of two sums over items, so that its extremes are at corners: all unscored required items said, or all left out, or (in `tp_only`) all
 * contradicted; all unscored forbidden claims made, or none.
 *
 * @example
 * ```ts
 * boundsOfCounts('recall', { tp: 3, fn: 1, fp: 0, tn: 0 }, { required: 1, forbidden: 0 }, 'tp_only')
 * // => { lower: 0.6, upper: 0.8 }
 * ```
 */
export function boundsOfCounts(
  metric: TraitMetric,
  counts: ConfusionCounts,
  open: OpenItems,
  mode: EvaluationMode,
): Bounds | null {
  if (open.required + open.forbidden === 0) return null;
  const required: Bucket[][] = [
    ['tp'],
    ['fn'],
    ...(mode === 'tp_only' ? [['fn', 'fp'] satisfies Bucket[]] : []),
  ];
  const values: number[] = [];
  for (const said of required) {
    for (const claimed of ['fp', 'tn'] as const) {
      const outcome = { ...counts };
      for (const bucket of said) outcome[bucket] += open.required;
      outcome[claimed] += open.forbidden;
      const value = metricOfCounts(metric, outcome);
      if (value !== null) values.push(value);
    }
  }
  return values.length === 0 ? null : { lower: Math.min(...values), upper: Math.max(...values) };
}
