import { type Score, snakeKeys } from '../../core/index.ts';
import type {
  ItemScores,
  ListLevelTrait,
  MetricTraitSummary,
  OtherTraitSummary,
} from '../../results/index.ts';

/** A score of a rubric in its file form. */
export function scoreObject({ value, reason, nEvaluated, interval, intervalReason, bounds }: Score) {
  return { value, reason, n: nEvaluated, interval, interval_reason: intervalReason, bounds };
}

/** A metric trait over all questions, in its file form. */
export function metricTraitObject({ metrics, open: _, contradictionRate, ...summary }: MetricTraitSummary) {
  return {
    ...snakeKeys(summary),
    contradiction_rate: contradictionRate && scoreObject(contradictionRate),
    source: 'metric',
    metrics: mapValues(metrics, (metric) => ({
      ...bothMeans(metric),
      n_questions_undefined: metric.nUndefined,
    })),
  };
}

/** A trait of another kind over all questions, in its file form. */
export function otherTraitObject(summary: OtherTraitSummary) {
  return { ...snakeKeys(summary), score: summary.score && scoreObject(summary.score) };
}

/** Scores over items, by name, over all and by group, in file form. */
export function itemScoresObject({ scores, groups, harmWeights }: ItemScores) {
  const byName = (own: readonly Score[]) =>
    Object.fromEntries(own.map((score) => [score.name, { ...scoreObject(score), ...score.details }]));
  return {
    scores: byName(scores),
    clipping: 'overall',
    harm_weights: harmWeights.map(snakeKeys),
    groups: groups.map(({ by, name, nQuestions, scores: own }) => ({
      by,
      name,
      n_questions: nQuestions,
      scores: byName(own),
    })),
  };
}

/** A trait by the judge's own lists, in its file form. */
export function listLevelObject({ trait, judge, aggregate, nFailed }: ListLevelTrait) {
  return {
    trait,
    judge,
    n_questions: aggregate.nQuestions,
    n_failed: nFailed,
    counts: aggregate.counts,
    metrics: mapValues(aggregate.metrics, bothMeans),
  };
}

function bothMeans({ pooled, mean }: Readonly<Record<'pooled' | 'mean', Score>>) {
  return { pooled: scoreObject(pooled), mean_of_questions: scoreObject(mean) };
}

export function mapValues<V, T>(
  object: Readonly<Partial<Record<string, V>>>,
  of: (value: V) => T,
): Record<string, T> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, of(value!)]));
}
