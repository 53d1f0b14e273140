import { createScore, type Score } from '../../core/score.ts';
import { questionInterval } from '../../rubrics/aggregate/aggregate-trait.ts';
import { wilsonInterval } from '../../statistics/proportions.ts';
import { createRandom } from '../../statistics/random.ts';
import { mean } from '../../statistics/samples.ts';
import { checkResamples, defaultResamples, type ScoreOptions } from '../../statistics/score-options.ts';

/** How scores over questions get their intervals. */
export type QuestionStatistics = Pick<ScoreOptions, 'resamples'> &
  Required<Pick<ScoreOptions, 'level' | 'seed'>>;

export interface QuestionValue {
  readonly questionId: string;
  readonly value: number;
}

/**
 * The mean of the questions' values; several answers to one question are averaged first. The interval is Wilson's for a share with one answer per question, and a bootstrap
 * over questions for everything else.
 *
 * @example
 * ```ts
 * const values = [{ questionId: 'a', value: 1 }, { questionId: 'b', value: 0 }];
 * const { value, nEvaluated, interval } = questionMean(values, { level: 0.95, seed: 42, isShare: true });
 * [value, nEvaluated, interval.method] // => [0.5, 2, 'wilson']
 * ```
 */
export function questionMean(
  values: readonly QuestionValue[],
  options: QuestionStatistics & { readonly isShare: boolean },
): Score {
  const { level, seed, isShare } = options;
  const groups = Map.groupBy(values, ({ questionId }) => questionId);
  const own = [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, group]) => mean(group.map(({ value }) => value))!);
  const n = own.length;
  const value = mean(own);
  const score = (given: Partial<Score>) =>
    createScore({ name: isShare ? 'share' : 'mean', value, nEvaluated: n, ...given });
  if (value === null) return score({ intervalReason: 'value_undefined', reason: 'nothing_scored' });
  if (isShare && n === values.length) {
    const successes = own.reduce((sum, one) => sum + one, 0);
    const [lower, upper] = wilsonInterval(successes, n, level)!;
    const interval = { lower, upper, level, method: 'wilson', resamples: null, unit: 'question' } as const;
    return score({ interval });
  }
  const random = createRandom(seed, 'questionMean');
  const resamples = n < 2 ? 0 : checkResamples(options.resamples ?? defaultResamples(n));
  const interval = questionInterval({
    estimate: value,
    replicates: Float64Array.from({ length: resamples }, () => mean(own.map(() => own[random.integer(n)]!))!),
    jackknife: Float64Array.from(own, (one) => (value * n - one) / (n - 1)),
    nQuestions: n,
    proportion: isShare,
    level,
  });
  return score(typeof interval === 'string' ? { intervalReason: interval } : { interval });
}
