import { z } from 'zod';
import type { Shape } from '../core/codec.ts';
import { argumentError } from '../core/errors.ts';
import { shown } from '../core/plain-text.ts';
import { type Bounds, createScore, type Score } from '../core/score.ts';
import { wilsonInterval } from '../statistics/proportions.ts';
import { DEFAULT_LEVEL } from '../statistics/score-options.ts';
import type { MetricRubricTrait } from './traits/metric-trait.ts';
import { textKey } from './traits/metric-trait-rules.ts';
import { BUCKETS, type Bucket, type EvaluationMode, type TraitMetric } from './traits/trait.ts';

/** What was found and missed, as text: pieces of the answer in `tp` and `fp`, instructions in `fn` and `tn`. */
export type ConfusionLists = Readonly<Record<Bucket, readonly string[]>>;

export const confusionCountsSchema = z.record(z.enum(BUCKETS), z.number());
/** How many there are of each. */
export type ConfusionCounts = Shape<typeof confusionCountsSchema>;

/**
 * The sizes of the lists. Blank entries never count; with `repeated_extraction` entries of one list that differ in case or outer white space only count once.
 * A list that the trait needs must be there, if empty.
 *
 * @example
 * ```ts
 * const trait = new MetricRubricTrait({ name: 'Lungs', metrics: ['recall'], tpInstructions: ['Mentions COPD'] });
 * scoreConfusionLists(trait, { tp: ['COPD', ' copd', ''], fn: [], fp: [] }).counts // => { tp: 1, fn: 0, fp: 0, tn: 0 }
 * ```
 */
function countLists(trait: MetricRubricTrait, lists: Partial<ConfusionLists>): ConfusionCounts {
  const refuse = (what: string, value: unknown): never => {
    throw argumentError(`confusion lists of ${shown(trait.name)}: ${what}`, value);
  };
  for (const key of Object.keys(lists)) {
    if (!BUCKETS.some((bucket) => bucket === key))
      refuse(`unknown list ${shown(key)}; the lists are ${BUCKETS.join(', ')}`, key);
  }
  const size = (bucket: Bucket): number => {
    const list: unknown = lists[bucket];
    if (list === undefined && !trait.getRequiredBuckets().has(bucket)) return 0;
    if (!Array.isArray(list) || list.some((entry) => typeof entry !== 'string'))
      return refuse(`${bucket} is ${shown(list)}; expected a list of texts (empty if there are none)`, list);
    const keys = list.map(textKey).filter((key) => key !== '');
    return trait.repeatedExtraction ? new Set(keys).size : keys.length;
  };
  return { tp: size('tp'), fn: size('fn'), fp: size('fp'), tn: size('tn') };
}

/** Scores by the name of the metric: those the trait asks for, in its order. */
export type TraitMetricScores = Readonly<Partial<Record<TraitMetric, Score>>>;

/** Numerator and denominator of each metric. */
const FORMULAS: Record<TraitMetric, (counts: ConfusionCounts) => readonly [number, number]> = {
  precision: ({ tp, fp }) => [tp, tp + fp],
  recall: ({ tp, fn }) => [tp, tp + fn],
  f1: ({ tp, fn, fp }) => [2 * tp, 2 * tp + fp + fn],
  specificity: ({ fp, tn }) => [tn, tn + fp],
  accuracy: ({ tp, fn, fp, tn }) => [tp + tn, tp + tn + fp + fn],
};

/** Why a metric has no value where its denominator is 0. */
export const UNDEFINED_REASONS: Readonly<Record<TraitMetric, string>> = {
  precision: 'nothing_claimed',
  recall: 'no_required_items',
  f1: 'no_items',
  specificity: 'no_forbidden_items',
  accuracy: 'no_items',
};

/** A metric of counts; null where its denominator is 0, never 0. */
export function metricOfCounts(metric: TraitMetric, counts: ConfusionCounts): number | null {
  const [part, whole] = FORMULAS[metric](counts);
  return whole === 0 ? null : part / whole;
}

/** Whether a metric is a share of things counted once, so that Wilson's interval holds; f1 counts hits twice. */
export function isProportion(metric: TraitMetric): boolean {
  return metric !== 'f1';
}

/** The metrics of counts, with Wilson intervals. */
export function scoresOfCounts(
  metrics: readonly TraitMetric[],
  counts: ConfusionCounts,
  computeBounds: (metric: TraitMetric) => Bounds | null,
  level: number,
): TraitMetricScores {
  const byFormula = { level, method: 'wilson', resamples: null, unit: 'item' } as const;
  return Object.fromEntries(
    metrics.map((metric) => {
      const [part, n] = FORMULAS[metric](counts);
      const value = metricOfCounts(metric, counts);
      const found = value !== null && isProportion(metric) ? wilsonInterval(part, n, level) : null;
      const score = createScore({
        name: metric,
        value,
        reason: value === null ? UNDEFINED_REASONS[metric] : null,
        nEvaluated: n,
        interval: found && { lower: found[0], upper: found[1], ...byFormula },
        intervalReason: found ? null : value === null ? 'value_undefined' : 'not_a_proportion',
        bounds: computeBounds(metric),
      });
      return [metric, score];
    }),
  );
}

export const openItemsSchema = z.object({ required: z.number(), forbidden: z.number() });
/** How many items are unscored. */
export type OpenItems = Shape<typeof openItemsSchema>;

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

/** The metrics of a trait, and the counts that they were made of. */
export interface ListScore {
  readonly metrics: TraitMetricScores;
  readonly counts: ConfusionCounts;
}

/**
 * The metrics of a trait from four lists made elsewhere. It is plain arithmetic on their sizes, and so depends on how finely they were cut: where verdicts
 * per instruction exist, `scoreVerdicts` is the better measure. A zero denominator gives null with a reason.
 *
 * @example
 * ```ts
 * const trait = new MetricRubricTrait({
 *   name: 'BCL2 coverage',
 *   metrics: ['precision', 'recall'],
 *   tpInstructions: ['Mentions BCL2', 'States that BCL2 is on chromosome 18'],
 * });
 * const lists = { tp: ['BCL2', 'bcl2 '], fn: ['States that BCL2 is on chromosome 18'], fp: [], tn: [] };
 * const { metrics, counts } = scoreConfusionLists(trait, lists);
 * metrics.recall.value // => 0.5
 * metrics.precision.value // => 1
 * counts // => { tp: 1, fn: 1, fp: 0, tn: 0 }
 * ```
 */
export function scoreConfusionLists(
  trait: MetricRubricTrait,
  lists: Partial<ConfusionLists>,
  { level = DEFAULT_LEVEL }: { readonly level?: number } = {},
): ListScore {
  const counts = countLists(trait, lists);
  return { metrics: scoresOfCounts(trait.metrics, counts, () => null, level), counts };
}
