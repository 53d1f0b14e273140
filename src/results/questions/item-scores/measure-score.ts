import { type Bounds, type Interval, type Score, scoreOf } from '../../../core/index.ts';
import { questionInterval } from '../../../rubrics/index.ts';
import { createRandom, defaultResamples, mean, wilsonInterval } from '../../../statistics/index.ts';
import type { QuestionStatistics } from '../question-mean.ts';
import { isSettled, type MeasuredItem } from './measured-item.ts';
import type { AnswerShares, ItemMeasure, Share } from './measures.ts';

/** Random stream of this bootstrap; those of the other scores of questions take 33 and 34. */
const STREAM = 35;

/** The items of one answer. */
export interface MeasuredAnswer {
  readonly questionId: string;
  readonly items: readonly MeasuredItem[];
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
  const value = estimateOf(own, measure);
  const nItems = answers.reduce((sum, { items }) => sum + items.length, 0);
  const nSettled = answers.reduce((sum, { items }) => sum + items.filter(isSettled).length, 0);
  const common = {
    name,
    label,
    reads,
    value,
    nEvaluated: own.length,
    bounds: boundsOf(shares, measure),
    scoredOf: { n: nItems, nScored: nSettled, unscored: 'items are unscored' },
    details: { n_questions_open: all.length - own.length, n_items_open: nItems - nSettled },
  };
  if (value === null)
    return scoreOf({
      ...common,
      reason: all.length > 0 ? 'items_open' : 'nothing_scored',
      intervalReason: 'value_undefined',
    });
  const nAnswers = shares.filter(({ settled }) => settled !== null).length;
  const interval = intervalOf(own, measure, value, nAnswers === own.length, options);
  const isClipped = measure.over === 'clipped_mean';
  const unclipped = isClipped ? estimateOf(own, { over: 'mean' }) : null;
  // Where the clipped mean is 0 or 1 and resampling sees nothing else, the mean before clipping has an interval.
  const whole = isClipped ? intervalOf(own, { ...measure, over: 'mean' }, unclipped!, false, options) : null;
  return scoreOf({
    ...common,
    ...(typeof interval === 'string' ? { intervalReason: interval } : { interval, intervalReason: null }),
    details: {
      ...common.details,
      ...(isClipped && { unclipped, unclipped_interval: typeof whole === 'string' ? null : whole }),
    },
  });
}

type QuestionAnswer = AnswerShares & { readonly questionId: string };

/** One share for each question, in the order of their ids. */
function questionShares(
  answers: readonly QuestionAnswer[],
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

/** The value over questions. */
function estimateOf(questions: readonly Share[], { over }: Pick<ItemMeasure, 'over'>): number | null {
  const { parts, wholes } = sumsOf(questions, over);
  const [part, whole] = [total(parts), total(wholes)];
  return whole === 0 ? null : ratio(part, whole, over);
}

/** What each question adds above and below the line. */
function sumsOf(questions: readonly Share[], over: ItemMeasure['over']) {
  return {
    parts: Float64Array.from(questions, ({ part }) => (over === 'mean_of_clipped' ? clip(part) : part)),
    wholes: Float64Array.from(questions, ({ whole }) => whole),
  };
}

function total(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Clipped inside each replicate, too. */
function ratio(part: number, whole: number, over: ItemMeasure['over']): number {
  return over === 'clipped_mean' ? clip(part / whole) : part / whole;
}

/** What the score could be, had every open item been settled; null where none is open. */
function boundsOf(answers: readonly QuestionAnswer[], measure: ItemMeasure): Bounds | null {
  const isOpen = answers.some(({ settled, least, most }) =>
    settled === null ? most !== null : least!.part !== most!.part || most!.whole !== settled.whole,
  );
  if (!isOpen) return null;
  const lower = estimateOf(questionShares(answers, 'least', measure), measure);
  const upper = estimateOf(questionShares(answers, 'most', measure), measure);
  return lower === null || upper === null ? null : { lower, upper };
}

function intervalOf(
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
  const random = createRandom(seed, STREAM);
  const resamples = n < 2 ? 0 : (wanted ?? defaultResamples(n));
  const { over } = measure;
  const { parts, wholes } = sumsOf(questions, over);
  const [allParts, allWholes] = [total(parts), total(wholes)];
  return questionInterval({
    estimate,
    replicates: Float64Array.from({ length: resamples }, () => {
      let [part, whole] = [0, 0];
      for (let i = 0; i < n; i++) {
        const drawn = random.integer(n);
        part += parts[drawn]!;
        whole += wholes[drawn]!;
      }
      return whole === 0 ? Number.NaN : ratio(part, whole, over);
    }),
    jackknife: parts.map((part, left) => {
      const whole = allWholes - wholes[left]!;
      return whole <= 0 ? Number.NaN : ratio(allParts - part, whole, over);
    }),
    nQuestions: n,
    proportion: over === 'pooled' || measure.isBinary,
    level,
  });
}

function clip(value: number): number {
  return Math.min(1, Math.max(0, value));
}
