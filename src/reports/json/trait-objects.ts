import type { Score } from '../../core/index.ts';
import type { ListLevelTrait, MetricTraitSummary, OtherTraitSummary } from '../../results/index.ts';

/** A score of a rubric in its file form. */
export function scoreObject({ value, reason, nEvaluated, interval, intervalReason, bounds }: Score) {
  return { value, reason, n: nEvaluated, interval, interval_reason: intervalReason, bounds };
}

/** A metric trait over all questions, in its file form. */
export function metricTraitObject(summary: MetricTraitSummary) {
  return {
    name: summary.name,
    source: 'metric',
    evaluation_mode: summary.evaluationMode,
    repeated_extraction: summary.repeatedExtraction,
    judges: summary.judges,
    n_questions: summary.nQuestions,
    n_answers: summary.nAnswers,
    n_items: summary.nItems,
    n_scored: summary.nScored,
    counts: summary.counts,
    metrics: Object.fromEntries(
      Object.entries(summary.metrics).map(([metric, { pooled, mean, nUndefined }]) => [
        metric,
        {
          pooled: scoreObject(pooled),
          mean_of_questions: scoreObject(mean),
          n_questions_undefined: nUndefined,
        },
      ]),
    ),
  };
}

/** A trait of another kind over all questions, in its file form. */
export function otherTraitObject(summary: OtherTraitSummary) {
  return {
    name: summary.name,
    source: summary.source,
    kind: summary.kind,
    higher_is_better: summary.higherIsBetter,
    judges: summary.judges,
    n_answers: summary.nAnswers,
    n_scored: summary.nScored,
    unscored: summary.unscored,
    score: summary.score && scoreObject(summary.score),
    classes: summary.classes,
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
    metrics: Object.fromEntries(
      Object.entries(aggregate.metrics).map(([metric, { pooled, mean }]) => [
        metric,
        { pooled: scoreObject(pooled), mean_of_questions: scoreObject(mean) },
      ]),
    ),
  };
}
