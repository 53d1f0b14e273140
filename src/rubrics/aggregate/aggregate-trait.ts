import { z } from 'zod';
import {
  type Bounds,
  count,
  fileKey,
  rubricScoreSchema,
  type Score,
  type Shape,
  scoreOf,
} from '../../core/index.ts';
import {
  checkResamples,
  createRandom,
  DEFAULT_LEVEL,
  DEFAULT_SEED,
  defaultResamples,
  mean,
  type Random,
  type ScoreOptions,
} from '../../statistics/index.ts';
import {
  boundsOfCounts,
  type ConfusionCounts,
  isProportion,
  metricOfCounts,
  type OpenItems,
  scoresOfCounts,
  undefinedReason,
} from '../confusion-metrics.ts';
import type { MetricRubricTrait } from '../traits/metric-trait.ts';
import type { TraitMetric } from '../traits/vocabulary.ts';
import { byQuestion, type PooledCounts, pooledCounts, type QuestionCounts } from './question-counts.ts';
import { questionInterval } from './question-interval.ts';

/** How trait scores are aggregated over questions. */
export type AggregateOptions = Pick<ScoreOptions, 'resamples' | 'level' | 'seed'>;

export const aggregateScoreSchema = z.object({
  /** Of the sums of all counts (micro): every item weighs the same. `nEvaluated` is the denominator. */
  pooled: rubricScoreSchema,
  /** Mean of the questions' values (macro): every question weighs the same. `nEvaluated` is the number of questions that have one. */
  mean: fileKey('mean_of_questions', rubricScoreSchema),
  /** Questions without a value: their denominator is 0. */
  nUndefined: fileKey('n_questions_undefined', count),
});
/** One metric over many questions. */
export interface AggregateScore extends Shape<typeof aggregateScoreSchema> {
  readonly pooled: Score;
  readonly mean: Score;
}

/** A trait over many questions. */
export interface TraitAggregate {
  readonly metrics: Readonly<Partial<Record<TraitMetric, AggregateScore>>>;
  readonly nQuestions: number;
  readonly counts: ConfusionCounts;
  readonly open: OpenItems;
  readonly resamples: number;
  readonly seed: number;
  readonly generator: Random['generator'];
}

/**
 * A trait's metrics over many questions, pooled and as a mean of questions, with intervals from a bootstrap that draws whole questions: items of one answer are not
 * independent. Several answers to one question are one question.
 *
 * @example
 * ```ts
 * const trait = new MetricRubricTrait({ name: 'Advice', metrics: ['recall'], tpInstructions: ['a', 'b', 'c'] });
 * const { metrics } = aggregateTrait(trait, [
 *   { questionId: 'q1', counts: { tp: 1, fn: 2, fp: 0, tn: 0 } },
 *   { questionId: 'q2', counts: { tp: 1, fn: 0, fp: 0, tn: 0 } },
 * ]);
 * metrics.recall.pooled.value // => 0.5
 * metrics.recall.mean.value // => 0.6666666666666666
 * ```
 */
export function aggregateTrait(
  trait: Pick<MetricRubricTrait, 'metrics' | 'evaluationMode' | 'repeatedExtraction'>,
  answers: readonly QuestionCounts[],
  options: AggregateOptions = {},
): TraitAggregate {
  const questions = byQuestion(answers);
  const { level = DEFAULT_LEVEL, seed = DEFAULT_SEED } = options;
  const resamples =
    questions.length < 2 ? 0 : checkResamples(options.resamples ?? defaultResamples(questions.length));
  const random = createRandom(seed, 'aggregateTrait');
  const draws = Array.from({ length: resamples }, () =>
    questions.map(() => questions[random.integer(questions.length)]!),
  );
  const leftOut = questions.map((_, i) => questions.toSpliced(i, 1));
  const { counts, open } = pooledCounts(questions);
  const boundsOf = ({ counts, open }: PooledCounts, metric: TraitMetric) =>
    trait.repeatedExtraction ? boundsOfCounts(metric, counts, open, trait.evaluationMode) : null;

  /** A score with its interval in place of Wilson's, which takes items for independent. */
  const withInterval = (
    score: Score,
    statistic: (drawn: readonly PooledCounts[]) => number | null,
    basis: { readonly nQuestions: number; readonly proportion: boolean },
  ): Score => {
    const values = (samples: readonly (readonly PooledCounts[])[]) =>
      Float64Array.from(samples, (sample) => statistic(sample) ?? Number.NaN);
    const interval =
      score.value === null
        ? 'value_undefined'
        : questionInterval({
            estimate: score.value,
            replicates: values(draws),
            jackknife: values(leftOut),
            ...basis,
            level,
          });
    return typeof interval === 'string'
      ? { ...score, interval: null, intervalReason: interval }
      : { ...score, interval, intervalReason: null };
  };

  const aggregate = (metric: TraitMetric): AggregateScore => {
    const own = questions.map((question) => metricOfCounts(metric, question.counts));
    const nDefined = own.filter((value) => value !== null).length;
    const basis = { nQuestions: nDefined, proportion: isProportion(metric) };
    const pooled = scoresOfCounts([metric], counts, () => boundsOf({ counts, open }, metric), level)[metric]!;
    const value = meanOf(own);
    const meanScore = scoreOf({
      name: metric,
      value,
      reason: value === null ? undefinedReason(metric) : null,
      nEvaluated: nDefined,
      bounds: meanBounds(
        questions.map((question, i) => ({ value: own[i]!, bounds: boundsOf(question, metric) })),
      ),
    });
    const meanIn = (drawn: readonly PooledCounts[]) =>
      meanOf(drawn.map((question) => metricOfCounts(metric, question.counts)));
    return {
      pooled: withInterval(pooled, (drawn) => metricOfCounts(metric, pooledCounts(drawn).counts), basis),
      mean: withInterval(meanScore, meanIn, basis),
      nUndefined: questions.length - nDefined,
    };
  };

  return {
    metrics: Object.fromEntries(trait.metrics.map((metric) => [metric, aggregate(metric)])),
    nQuestions: questions.length,
    counts,
    open,
    resamples,
    seed,
    generator: random.generator,
  };
}

function meanOf(values: readonly (number | null)[]): number | null {
  return mean(values.filter((value) => value !== null));
}

/** What is known of one question: its value, and the range had all its items been scored. */
interface QuestionRange {
  readonly value: number | null;
  readonly bounds: Bounds | null;
}

/**
 * The least and the greatest that a mean over questions could have been. A question without a value now might have got one: it is taken in where that moves the mean
 * further out. Null where every item was scored.
 *
 * @example
 * ```ts
 * meanBounds([{ value: 1, bounds: null }, { value: 0.5, bounds: { lower: 0.25, upper: 0.75 } }])
 * // => { lower: 0.625, upper: 0.875 }
 * ```
 */
export function meanBounds(questions: readonly QuestionRange[]): Bounds | null {
  if (questions.every(({ bounds }) => bounds === null)) return null;
  const lower = extreme(questions, ({ lower }) => lower, 1);
  const upper = extreme(questions, ({ upper }) => upper, -1);
  return { lower, upper };
}

/** The mean of one end of the ranges. With `sign` 1 as low as it gets, with -1 as high. */
function extreme(questions: readonly QuestionRange[], end: (bounds: Bounds) => number, sign: 1 | -1): number {
  const certain = questions.filter(({ value }) => value !== null);
  const possible = questions.filter(({ value, bounds }) => value === null && bounds !== null);
  let sum = certain.reduce((total, { value, bounds }) => total + (bounds ? end(bounds) : value!), 0);
  let n = certain.length;
  const ends = possible.map(({ bounds }) => end(bounds!)).sort((a, b) => sign * (a - b));
  for (const value of ends) {
    if (n > 0 && sign * (value - sum / n) >= 0) break;
    sum += value;
    n += 1;
  }
  return sum / n;
}
