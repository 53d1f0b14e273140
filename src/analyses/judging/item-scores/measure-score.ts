import { type Bounds, createScore, type Interval, type Score } from '../../../core/score.ts';
import { questionInterval } from '../../../rubrics/aggregate/aggregate-trait.ts';
import {
  type AnswerShares,
  averageShares,
  divideSums,
  isSettled,
  type Share,
  sumShares,
  type WeightedItem,
  weighItem,
} from '../../../rubrics/weighted/item-shares.ts';
import { wilsonInterval } from '../../../statistics/proportions.ts';
import { createRandom } from '../../../statistics/random.ts';
import { mean } from '../../../statistics/samples.ts';
import { checkResamples, defaultResamples } from '../../../statistics/score-options.ts';
import type { QuestionStatistics } from '../question-mean.ts';
import type { ItemResult } from '../score-metric-trait.ts';
import type { ItemMeasure } from './measures.ts';

/** The items of one answer. */
export interface MeasuredAnswer {
  readonly questionId: string;
  readonly items: readonly WeightedItem[];
}

/** An item with its weights. A refused answer says nothing, so its items are absent. */
export function measuredItem(item: ItemResult): WeightedItem {
  return weighItem(item, item.class === 'answer_refused' ? 'absent' : item.class);
}

/** A measure over answers, with a bootstrap interval over questions. Several answers to one question are averaged first. Open items are in the bounds only. */
export function measureScore(
  measure: ItemMeasure,
  answers: readonly MeasuredAnswer[],
  options: QuestionStatistics,
): Score {
  const { name, label, reads } = measure;
  const shares = answers.map(({ questionId, items }) => ({ questionId, ...measure.shares(items) }));
  const own = questionShares(shares, 'settled', measure);
  const all = questionShares(shares, 'most', measure);
  const value = averageShares(own, measure.over);
  const nItems = answers.reduce((sum, { items }) => sum + items.length, 0);
  const nSettled = answers.reduce((sum, { items }) => sum + items.filter(isSettled).length, 0);
  const common = {
    name,
    label,
    reads,
    value,
    nEvaluated: own.length,
    bounds: computeBounds(shares, measure),
    scoredOf: { n: nItems, nScored: nSettled, unscored: 'items are unscored' },
    details: { n_questions_open: all.length - own.length, n_items_open: nItems - nSettled },
  };
  if (value === null)
    return createScore({
      ...common,
      reason: all.length > 0 ? 'items_open' : 'nothing_scored',
      intervalReason: 'value_undefined',
    });
  const nAnswers = shares.filter(({ settled }) => settled !== null).length;
  const interval = computeInterval(own, measure, value, nAnswers === own.length, options);
  const isClipped = measure.over === 'clipped_mean';
  const unclipped = isClipped ? averageShares(own, 'mean') : null;
  // Where the clipped mean is 0 or 1 and resampling sees nothing else, the mean before clipping has an interval.
  const whole = isClipped
    ? computeInterval(own, { ...measure, over: 'mean' }, unclipped!, false, options)
    : null;
  return createScore({
    ...common,
    ...(typeof interval === 'string' ? { intervalReason: interval } : { interval, intervalReason: null }),
    details: {
      ...common.details,
      ...(isClipped && { unclipped, unclipped_interval: typeof whole === 'string' ? null : whole }),
    },
  });
}

/** One share for each question, in the order of their ids. */
function questionShares(
  answers: readonly (AnswerShares & { readonly questionId: string })[],
  which: keyof AnswerShares,
  { over }: Pick<ItemMeasure, 'over'>,
): Share[] {
  const groups = Map.groupBy(answers, ({ questionId }) => questionId);
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, group]) => {
      const shares = group.flatMap((answer) => answer[which] ?? []);
      if (shares.length === 0) return [];
      if (over === 'pooled')
        return [
          { part: mean(shares.map(({ part }) => part))!, whole: mean(shares.map(({ whole }) => whole))! },
        ];
      return [{ part: mean(shares.map(({ part, whole }) => part / whole))!, whole: 1 }];
    });
}

/** What the score could be, had every open item been settled; null where none is open. */
function computeBounds(
  answers: readonly (AnswerShares & { readonly questionId: string })[],
  measure: ItemMeasure,
): Bounds | null {
  const isOpen = answers.some(({ settled, least, most }) =>
    settled === null ? most !== null : least!.part !== most!.part || most!.whole !== settled.whole,
  );
  if (!isOpen) return null;
  const lower = averageShares(questionShares(answers, 'least', measure), measure.over);
  const upper = averageShares(questionShares(answers, 'most', measure), measure.over);
  return lower === null || upper === null ? null : { lower, upper };
}

function computeInterval(
  questions: readonly Share[],
  measure: ItemMeasure,
  estimate: number,
  isOneAnswerEach: boolean,
  { level, seed, resamples: wanted }: QuestionStatistics,
): Interval | string {
  const n = questions.length;
  if (measure.isBinary && isOneAnswerEach) {
    const [lower, upper] = wilsonInterval(Math.round(estimate * n), n, level)!;
    return { lower, upper, level, method: 'wilson', resamples: null, unit: 'question' };
  }
  const random = createRandom(seed, 'itemScore');
  const resamples = n < 2 ? 0 : checkResamples(wanted ?? defaultResamples(n));
  const { over } = measure;
  const { parts, wholes, part: allParts, whole: allWholes } = sumShares(questions, over);
  return questionInterval({
    estimate,
    replicates: Float64Array.from({ length: resamples }, () => {
      let [part, whole] = [0, 0];
      for (let i = 0; i < n; i++) {
        const drawn = random.integer(n);
        part += parts[drawn]!;
        whole += wholes[drawn]!;
      }
      return whole === 0 ? Number.NaN : divideSums(part, whole, over);
    }),
    jackknife: parts.map((part, left) => {
      const whole = allWholes - wholes[left]!;
      return whole <= 0 ? Number.NaN : divideSums(allParts - part, whole, over);
    }),
    nQuestions: n,
    proportion: over === 'pooled' || measure.isBinary,
    level,
  });
}
