import { z } from 'zod';
import { count, fileKey, type Shape } from '../../core/codec.ts';
import {
  type Bounds,
  createScore,
  type Interval,
  rubricScoreSchema,
  type Score,
  scoreSchema,
} from '../../core/score.ts';
import { bcaInterval, percentileInterval } from '../../statistics/bootstrap.ts';
import { wilsonInterval } from '../../statistics/proportions.ts';
import { createRandom, type Random } from '../../statistics/random.ts';
import { mean } from '../../statistics/samples.ts';
import {
  checkResamples,
  DEFAULT_LEVEL,
  DEFAULT_SEED,
  defaultResamples,
  type ScoreOptions,
} from '../../statistics/score-options.ts';
import {
  boundsOfCounts,
  type ConfusionCounts,
  isProportion,
  metricOfCounts,
  type OpenItems,
  scoresOfCounts,
  UNDEFINED_REASONS,
} from '../confusion-metrics.ts';
import type { MetricRubricTrait } from '../traits/metric-trait.ts';
import { BUCKETS, type TraitMetric } from '../traits/trait.ts';

export const aggregateScoreSchema = z.object({
  /** Of the sums of all counts (micro): every item weighs the same. `nEvaluated` is the denominator. */
  pooled: rubricScoreSchema,
  /** Mean of the questions' values (macro): every question weighs the same. `nEvaluated` is the number of questions that have one. */
  mean: fileKey('mean_of_questions', rubricScoreSchema),
  /** Questions without a value: their denominator is 0. */
  nUndefined: fileKey('n_questions_undefined', count),
});
/** The same with all that code knows of both scores. */
export const fullAggregateScoreSchema = aggregateScoreSchema.extend({
  pooled: scoreSchema,
  mean: fileKey('mean_of_questions', scoreSchema),
});
/** One metric over many questions. */
export type AggregateScore = Shape<typeof fullAggregateScoreSchema>;

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
  options: Pick<ScoreOptions, 'resamples' | 'level' | 'seed'> = {},
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
  const computeBounds = ({ counts, open }: PooledCounts, metric: TraitMetric) =>
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
    const pooled = scoresOfCounts([metric], counts, () => computeBounds({ counts, open }, metric), level)[
      metric
    ]!;
    const value = averageDefined(own);
    const meanScore = createScore({
      name: metric,
      value,
      reason: value === null ? UNDEFINED_REASONS[metric] : null,
      nEvaluated: nDefined,
      bounds: meanBounds(
        questions.map((question, i) => ({ value: own[i]!, bounds: computeBounds(question, metric) })),
      ),
    });
    const meanIn = (drawn: readonly PooledCounts[]) =>
      averageDefined(drawn.map((question) => metricOfCounts(metric, question.counts)));
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

function averageDefined(values: readonly (number | null)[]): number | null {
  return mean(values.filter((value) => value !== null));
}

/**
 * The least and the greatest that a mean over questions could have been, from the value of each and its range had all its items been scored. A question without a value now might have got one: it is taken in where that moves the mean
 * further out. Null where every item was scored.
 *
 * @example
 * ```ts
 * meanBounds([{ value: 1, bounds: null }, { value: 0.5, bounds: { lower: 0.25, upper: 0.75 } }])
 * // => { lower: 0.625, upper: 0.875 }
 * ```
 */
export function meanBounds(questions: readonly Pick<Score, 'value' | 'bounds'>[]): Bounds | null {
  if (questions.every(({ bounds }) => bounds === null)) return null;
  return { lower: extreme(questions, 'lower'), upper: extreme(questions, 'upper') };
}

/** The mean of one end of the ranges: as low, or as high, as it gets. */
function extreme(questions: Parameters<typeof meanBounds>[0], end: keyof Bounds): number {
  const sign = end === 'lower' ? 1 : -1;
  const certain = questions.filter(({ value }) => value !== null);
  const possible = questions.flatMap(({ value, bounds }) => (value === null && bounds ? [bounds[end]] : []));
  let sum = certain.reduce((total, { value, bounds }) => total + (bounds?.[end] ?? value!), 0);
  let n = certain.length;
  const ends = possible.sort((a, b) => sign * (a - b));
  for (const value of ends) {
    if (n > 0 && sign * (value - sum / n) >= 0) break;
    sum += value;
    n += 1;
  }
  return sum / n;
}

/** The counts of one answer to a question, as `scoreVerdicts` and `scoreConfusionLists` give them. */
export interface QuestionCounts {
  readonly questionId: string;
  readonly counts: ConfusionCounts;
  readonly open?: OpenItems;
}

export interface PooledCounts {
  readonly counts: ConfusionCounts;
  readonly open: OpenItems;
}

/** One entry per question, answers to it summed, in the order of ids: results cannot depend on the order of the input. */
function byQuestion(answers: readonly QuestionCounts[]): PooledCounts[] {
  const groups = Map.groupBy(answers, ({ questionId }) => questionId);
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => pooledCounts(group));
}

/** The sum of all counts. */
export function pooledCounts(parts: readonly Omit<QuestionCounts, 'questionId'>[]): PooledCounts {
  const counts = { tp: 0, fn: 0, fp: 0, tn: 0 };
  const open = { required: 0, forbidden: 0 };
  for (const part of parts) {
    for (const bucket of BUCKETS) counts[bucket] += part.counts[bucket];
    open.required += part.open?.required ?? 0;
    open.forbidden += part.open?.forbidden ?? 0;
  }
  return { counts, open };
}

/** More undefined resamples than this, and an interval would speak of the lucky ones only. */
const MAX_UNDEFINED = 0.05;

/** The bootstrap interval over questions (BCa, else percentile), or the reason why there is none. */
export function questionInterval(resampled: {
  readonly estimate: number;
  /** NaN where a resample has no value. */
  readonly replicates: Float64Array;
  readonly jackknife: Float64Array;
  /** Questions behind the estimate. */
  readonly nQuestions: number;
  /** Whether the estimate is a share, so that 0 and 1 have a formula. */
  readonly proportion: boolean;
  readonly level: number;
}): Interval | string {
  const { estimate, nQuestions, proportion, level } = resampled;
  const defined = resampled.replicates.filter((value) => !Number.isNaN(value));
  const resamples = resampled.replicates.length;
  if (nQuestions < 2) return 'too_few_questions';
  if (resamples === 0) return 'resampling_off';
  if (resamples - defined.length > MAX_UNDEFINED * resamples) return 'undefined_in_resamples';
  if (defined.every((value) => value === defined[0])) {
    // Resampling cannot see beyond what it has seen; where all questions gave 0, or all 1, a formula can.
    if (!proportion || (estimate !== 0 && estimate !== 1)) return 'no_variation_in_resamples';
    const [lower, upper] = wilsonInterval(estimate * nQuestions, nQuestions, level)!;
    return { lower, upper, level, method: 'wilson_clusters', resamples: null, unit: 'question' };
  }
  const corrected = bcaInterval({ estimate, replicates: defined, jackknife: resampled.jackknife }, level);
  if (corrected !== null && corrected.z0 !== null) {
    const [lower, upper] = corrected.interval;
    return { lower, upper, level, method: 'bca', resamples, unit: 'question' };
  }
  const [lower, upper] = percentileInterval(defined, level)!;
  return { lower, upper, level, method: 'percentile', resamples, unit: 'question' };
}
