import { argumentError } from '../../core/errors.ts';
import { type ClusteredShare, wilsonClustered } from '../../statistics/methods/label-plan.ts';
import { wilsonInterval } from '../../statistics/proportions.ts';
import {
  type AnswerShares,
  anyHarmShares,
  averageShares,
  commissionShares,
  contradictionShares,
  criticalShares,
  type HarmItem,
  isSettled,
  omissionShares,
  type PointItem,
  pointShares,
  type Share,
} from './item-shares.ts';

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
  assertPoints(questions);
  const shares = questions.map(({ items }) => {
    const { settled, least, most } = pointShares(items);
    const failed = critical === 'zero' ? criticalShares(items) : null;
    const isZero = failed?.settled?.part === 1;
    const mayBeZero = failed !== null && items.some((item) => item.critical === true && !isSettled(item));
    return {
      settled: scoreShare(settled, (score) => (isZero ? 0 : score)),
      least: scoreShare(least, (score) => (isZero ? 0 : mayBeZero ? Math.min(0, score) : score)),
      most: scoreShare(most, (score) => (isZero ? 0 : score)),
    };
  });
  const settled = shares.flatMap((share) => share.settled ?? []);
  const least = shares.flatMap((share) => share.least ?? []);
  const most = shares.flatMap((share) => share.most ?? []);
  const lower = averageShares(least, 'clipped_mean');
  return {
    scores: shares.map((share) => share.settled?.part ?? null),
    unclipped: averageShares(settled, 'mean'),
    clippedOverall: averageShares(settled, 'clipped_mean'),
    clippedByQuestion: averageShares(settled, 'mean_of_clipped'),
    nQuestions: settled.length,
    nUndefined: questions.length - settled.length,
    nOpen: questions.flatMap(({ items }) => items).filter((item) => !isSettled(item)).length,
    bounds: lower === null ? null : [lower, averageShares(most, 'clipped_mean')!],
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
export function criticalFailureRate(questions: readonly PointQuestion[], level = 0.95) {
  assertPoints(questions);
  const shares = questions.map(({ items }) => criticalShares(items));
  const failed = shares.filter(({ settled }) => settled?.part === 1).length;
  const n = shares.filter(({ settled }) => settled !== null).length;
  const nOpen = shares.filter(({ settled, most }) => settled === null && most !== null).length;
  const all = n + nOpen;
  return {
    rate: n === 0 ? null : failed / n,
    /** Questions with critical items that are settled enough to say. */
    n,
    /** Questions whose critical items are open. */
    nOpen,
    /** Wilson, over questions. */
    interval: wilsonInterval(failed, n, level),
    bounds: all === 0 ? null : [failed / all, (failed + nOpen) / all],
  };
}

/** The score of a question, of a whole of 1. */
function scoreShare(share: Share | null, change: (score: number) => number): Share | null {
  return share && { part: change(share.part / share.whole), whole: 1 };
}

function assertPoints(questions: readonly PointQuestion[]): void {
  for (const { points } of questions.flatMap(({ items }) => items))
    if (!Number.isFinite(points) || points === 0)
      throw argumentError(`points are ${points}; expected a number other than 0`, points);
}

/** The items of one answer. */
export interface HarmQuestion {
  /** Answers to one question go together. Default: every answer is its own. */
  readonly id?: string;
  readonly items: readonly HarmItem[];
}

/**
 * Harm of omission and of commission, weighted by severity, and the share of questions with a harm of at least the `threshold`.
 *
 * @example
 * ```ts
 * const items = [{ required: true, severity: 3, verdict: 'absent' }, { required: true, severity: 1, verdict: 'present' }];
 * harmRates([{ items }]).omission // => 0.75
 * ```
 */
export function harmRates(
  questions: readonly HarmQuestion[],
  { level = 0.95, threshold = 1 }: { readonly level?: number; readonly threshold?: number } = {},
) {
  const items = questions.flatMap((question) => question.items);
  const harms = questions.flatMap((question) => anyHarmShares(question.items, threshold).settled ?? []);
  const harmed = harms.filter(({ part }) => part === 1).length;
  return {
    /** Severity of required items left out, of all required and settled. */
    omission: toValue(omissionShares(items)),
    /** Severity of forbidden items said and required ones contradicted, of all settled. */
    commission: toValue(commissionShares(items)),
    /** Share of questions with a harm of the threshold or more. */
    anyHarm: averageShares(harms, 'mean'),
    anyHarmInterval: wilsonInterval(harmed, harms.length, level),
    /** Questions with a settled item. */
    nQuestions: harms.length,
  };
}

/**
 * The share of required items that answers contradict, of those settled: denying a required statement is worse than leaving it out. Items of one question go together. Null without settled required items.
 *
 * @example
 * ```ts
 * const said = (verdict: string) => ({ items: [{ required: true, verdict }] });
 * contradictionRate([said('contradicted'), said('present')])!.value // => 0.5
 * ```
 */
export function contradictionRate(questions: readonly HarmQuestion[], level = 0.95): ClusteredShare | null {
  const scored = questions.flatMap(({ id, items }, i) =>
    items
      .flatMap((item) => contradictionShares([item]).settled ?? [])
      .map(({ part }) => ({ value: part, cluster: id ?? i })),
  );
  return wilsonClustered(
    scored.map(({ value }) => value),
    scored.map(({ cluster }) => cluster),
    level,
  );
}

function toValue({ settled }: AnswerShares): number | null {
  return settled && settled.part / settled.whole;
}
