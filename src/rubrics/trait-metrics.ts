import { type Bounds, type Score, scoreOf } from '../core/index.ts';
import { wilsonInterval } from '../statistics/index.ts';
import type { ConfusionCounts } from './confusion-lists.ts';
import type { TraitMetric } from './traits/vocabulary.ts';

/** Scores by the name of the metric: those the trait asks for, in its order. */
export type TraitMetricScores = Readonly<Partial<Record<TraitMetric, Score>>>;

interface Formula {
  /** Numerator and denominator. */
  readonly parts: (counts: ConfusionCounts) => readonly [number, number];
  /** Why there is no value when the denominator is 0. */
  readonly undefinedReason: string;
}

/**
 * precision = TP / (TP + FP), recall = TP / (TP + FN), f1 = 2 TP / (2 TP + FP + FN), specificity = TN / (TN + FP),
 * accuracy = (TP + TN) / (TP + TN + FP + FN).
 */
const FORMULAS: Record<TraitMetric, Formula> = {
  precision: { parts: ({ tp, fp }) => [tp, tp + fp], undefinedReason: 'nothing_claimed' },
  recall: { parts: ({ tp, fn }) => [tp, tp + fn], undefinedReason: 'no_required_items' },
  f1: { parts: ({ tp, fn, fp }) => [2 * tp, 2 * tp + fp + fn], undefinedReason: 'no_items' },
  specificity: { parts: ({ fp, tn }) => [tn, tn + fp], undefinedReason: 'no_forbidden_items' },
  accuracy: { parts: ({ tp, fn, fp, tn }) => [tp + tn, tp + tn + fp + fn], undefinedReason: 'no_items' },
};

/** A metric of counts; null where its denominator is 0, never 0. */
export function metricOfCounts(metric: TraitMetric, counts: ConfusionCounts): number | null {
  const [part, whole] = FORMULAS[metric].parts(counts);
  return whole === 0 ? null : part / whole;
}

/** Why a metric has no value where its denominator is 0. */
export function undefinedReason(metric: TraitMetric): string {
  return FORMULAS[metric].undefinedReason;
}

/** Whether a metric is a share of things counted once, so that Wilson's interval holds; f1 counts hits twice. */
export function isProportion(metric: TraitMetric): boolean {
  return metric !== 'f1';
}

/** The metrics of counts, with Wilson intervals. */
export function scoresOfCounts(
  metrics: readonly TraitMetric[],
  counts: ConfusionCounts,
  boundsOf: (metric: TraitMetric) => Bounds | null,
  level: number,
): TraitMetricScores {
  return Object.fromEntries(
    metrics.map((metric) => {
      const [part, n] = FORMULAS[metric].parts(counts);
      const value = metricOfCounts(metric, counts);
      const found = value !== null && isProportion(metric) ? wilsonInterval(part, n, level) : null;
      const score = scoreOf({
        name: metric,
        value,
        reason: value === null ? undefinedReason(metric) : null,
        nEvaluated: n,
        interval: found && {
          lower: found[0],
          upper: found[1],
          level,
          method: 'wilson',
          resamples: null,
          unit: 'item',
        },
        intervalReason: found ? null : value === null ? 'value_undefined' : 'not_a_proportion',
        bounds: boundsOf(metric),
      });
      return [metric, score];
    }),
  );
}
