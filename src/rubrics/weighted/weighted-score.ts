import { argumentError } from '../../core/index.ts';
import { wilsonInterval } from '../../statistics/index.ts';

/** An item with points, and what a judge said of it. */
export interface PointItem {
  /** Above 0: wanted. Below 0: harmful if said. */
  readonly points: number;
  /** Present, absent and contradicted are settled; everything else is open. */
  readonly verdict: string | null;
  /** Default: false. */
  readonly critical?: boolean;
  /** Axes, themes, tags. Default: none. */
  readonly groups?: readonly string[];
}

/** The items of one answer. */
export interface PointQuestion {
  readonly id?: string;
  readonly items: readonly PointItem[];
}

/** Points over all questions. */
export interface WeightedScore {
  /** By question; null where no positive points are settled. */
  readonly scores: readonly (number | null)[];
  /** Mean of the scores. */
  readonly unclipped: number | null;
  /** The mean, clipped to 0 to 1: the convention of HealthBench. */
  readonly clippedOverall: number | null;
  /** Mean of the clipped scores. */
  readonly clippedByQuestion: number | null;
  /** Questions with a score. */
  readonly nQuestions: number;
  readonly nUndefined: number;
  /** Items without a settled verdict. */
  readonly nOpen: number;
  /** Of `clippedOverall`, whatever the verdicts on the open items. */
  readonly bounds: readonly [number, number] | null;
}

/** Whether a verdict decides an item. */
export function isSettled(verdict: string | null): boolean {
  return verdict === 'present' || verdict === 'absent' || verdict === 'contradicted';
}

/**
 * Points met over points that could be met, question by question and over all. Open items leave numerator and denominator. With `critical: 'zero'` a question with a failed critical item scores 0.
 *
 * @example
 * ```ts
 * const item = (points: number, verdict: string) => ({ points, verdict });
 * const questions = [
 *   { items: [item(2, 'absent'), item(-8, 'present')] },
 *   { items: [item(5, 'present'), item(5, 'present')] },
 * ];
 * const { scores, clippedOverall, clippedByQuestion } = weightedScore(questions);
 * [scores, clippedOverall, clippedByQuestion] // => [[-4, 1], 0, 0.5]
 * ```
 */
export function weightedScore(
  questions: readonly PointQuestion[],
  { critical = 'report' }: { readonly critical?: 'report' | 'zero' } = {},
): WeightedScore {
  const isZero = ({ items }: PointQuestion) => critical === 'zero' && items.some(isFailed);
  const scores = questions.map((question) => {
    const score = scoreOf(question.items);
    return score !== null && isZero(question) ? 0 : score;
  });
  const defined = scores.filter((score) => score !== null);
  const ranges = questions.flatMap((question) => {
    const range = rangeOf(question.items);
    if (range === null) return [];
    if (isZero(question)) return [[0, 0] as const];
    const mayFail =
      critical === 'zero' && question.items.some((item) => isCritical(item) && !isSettled(item.verdict));
    return [mayFail ? ([Math.min(0, range[0]), range[1]] as const) : range];
  });
  const unclipped = meanOf(defined);
  const ends = [meanOf(ranges.map(([low]) => low)), meanOf(ranges.map(([, high]) => high))];
  return {
    scores,
    unclipped,
    clippedOverall: unclipped === null ? null : clip(unclipped),
    clippedByQuestion: meanOf(defined.map(clip)),
    nQuestions: defined.length,
    nUndefined: scores.length - defined.length,
    nOpen: questions.reduce(
      (sum, { items }) => sum + items.filter(({ verdict }) => !isSettled(verdict)).length,
      0,
    ),
    bounds: ends[0] === null ? null : [clip(ends[0]!), clip(ends[1]!)],
  };
}

/**
 * The score over the items of each group: the mean over questions that have positive points in it, clipped to 0 to 1. Groups overlap and do not add up.
 *
 * @example
 * ```ts
 * weightedGroups([{ items: [{ points: 2, verdict: 'present', groups: ['accuracy'] }] }]) // => { accuracy: { score: 1, nQuestions: 1 } }
 * ```
 */
export function weightedGroups(
  questions: readonly PointQuestion[],
): Record<string, { readonly score: number | null; readonly nQuestions: number }> {
  const names = new Set(questions.flatMap(({ items }) => items.flatMap(({ groups }) => groups ?? [])));
  return Object.fromEntries(
    [...names].map((name) => {
      const parts = questions.map(({ items }) => ({
        items: items.filter(({ groups }) => groups?.includes(name)),
      }));
      const { clippedOverall, nQuestions } = weightedScore(parts);
      return [name, { score: clippedOverall, nQuestions }];
    }),
  );
}

/** How many questions fail a critical item. */
export interface CriticalFailures {
  readonly rate: number | null;
  /** Questions with critical items that are settled enough to say. */
  readonly n: number;
  /** Questions whose critical items are open. */
  readonly nOpen: number;
  /** Wilson, over questions. */
  readonly interval: readonly [number, number] | null;
  readonly bounds: readonly [number, number] | null;
}

/**
 * The share of questions that fail a critical item: wanted and absent or contradicted, or harmful and present. Without a failure the upper bound is the result.
 *
 * @example
 * ```ts
 * const critical = (verdict: string) => ({ items: [{ points: 5, verdict, critical: true }] });
 * const { rate, n, nOpen } = criticalFailureRate([critical('absent'), critical('present'), critical('unclear')]);
 * [rate, n, nOpen] // => [0.5, 2, 1]
 * ```
 */
export function criticalFailureRate(questions: readonly PointQuestion[], level = 0.95): CriticalFailures {
  let [failed, passed, nOpen] = [0, 0, 0];
  for (const { items } of questions) {
    for (const { points } of items) assertPoints(points);
    const critical = items.filter(isCritical);
    if (critical.length === 0) continue;
    if (critical.some(isFailed)) failed += 1;
    else if (critical.every(({ verdict }) => isSettled(verdict))) passed += 1;
    else nOpen += 1;
  }
  const n = failed + passed;
  const all = n + nOpen;
  return {
    rate: n === 0 ? null : failed / n,
    n,
    nOpen,
    interval: wilsonInterval(failed, n, level),
    bounds: all === 0 ? null : [failed / all, (failed + nOpen) / all],
  };
}

function isCritical({ critical }: PointItem): boolean {
  return critical === true;
}

function isFailed(item: PointItem): boolean {
  if (!isCritical(item) || !isSettled(item.verdict)) return false;
  return item.points > 0 ? item.verdict !== 'present' : item.verdict === 'present';
}

function scoreOf(items: readonly PointItem[]): number | null {
  const { met, possible } = sumsOf(items);
  return possible === 0 ? null : met / possible;
}

/** The least and the greatest score, had the open items been settled; null where no positive points could be. */
function rangeOf(items: readonly PointItem[]): readonly [number, number] | null {
  const { met, possible, openGain, openLoss } = sumsOf(items);
  const all = possible + openGain;
  return all === 0 ? null : [(met + openLoss) / all, (met + openGain) / all];
}

function sumsOf(items: readonly PointItem[]) {
  const sums = { met: 0, possible: 0, openGain: 0, openLoss: 0 };
  for (const { points, verdict } of items) {
    assertPoints(points);
    if (!isSettled(verdict)) sums[points > 0 ? 'openGain' : 'openLoss'] += points;
    else {
      if (verdict === 'present') sums.met += points;
      if (points > 0) sums.possible += points;
    }
  }
  return sums;
}

function assertPoints(points: number): void {
  if (!Number.isFinite(points) || points === 0)
    throw argumentError(`points are ${points}; expected a number other than 0`, points);
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function clip(score: number): number {
  return Math.min(1, Math.max(0, score));
}
