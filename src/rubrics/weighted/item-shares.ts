import { clipShare } from '../../statistics/samples.ts';
import type { RubricItem } from '../traits/metric-trait.ts';
import type { ItemVerdict } from '../verdict.ts';

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

/** An item with the harm of getting it wrong, and what a judge said of it. */
export interface HarmItem {
  readonly required: boolean;
  /** Above 0. Default: 1. */
  readonly severity?: number;
  readonly verdict: string | null;
}

/** An item of one answer with its weights and its verdict. */
export type WeightedItem = Omit<Required<PointItem>, 'groups'> & Required<HarmItem>;

/** Whether a verdict decides an item. */
export function isSettled({ verdict }: Pick<WeightedItem, 'verdict'>): boolean {
  return verdict === 'present' || verdict === 'absent' || verdict === 'contradicted';
}

/** A required item without points has 1, a forbidden one -1; severity is 1 where no harm is graded. */
export function weighItem(
  { kind, points, critical = false, harm = 1 }: Pick<RubricItem, 'kind' | 'points' | 'critical' | 'harm'>,
  verdict: string | null,
): WeightedItem {
  const required = kind === 'required';
  return { required, points: points ?? (required ? 1 : -1), critical, severity: harm, verdict };
}

/**
 * The items of traits as `weightedScore` and `criticalFailureRate` take them: a required item without points has 1, a forbidden one -1. Axis and tags are the groups.
 *
 * @example
 * ```ts
 * const trait = new MetricRubricTrait({
 *   name: 'Dose',
 *   metrics: ['recall'],
 *   tpInstructions: [{ instruction: 'States the dose', points: 5, axis: 'accuracy' }, 'Advises an ECG'],
 * });
 * const verdicts = listItems(trait).map(({ id }) => ({ id, verdict: 'present' as const }));
 * pointItems(listItems(trait), verdicts).map(({ points, groups }) => [points, groups]) // => [[5, ['accuracy']], [1, []]]
 * ```
 */
export function pointItems(
  items: readonly RubricItem[],
  verdicts: readonly Pick<ItemVerdict, 'id' | 'verdict'>[],
): PointItem[] {
  return weighItems(items, verdicts).map(({ points, verdict, critical }, i) => {
    const { axis, tags = [] } = items[i]!;
    const groups = [...new Set([...(axis === undefined ? [] : [axis]), ...tags])];
    return { points, verdict, critical, groups };
  });
}

/**
 * The items of traits as `harmRates` and `contradictionRate` take them: severity 1 where none is given.
 *
 * @example
 * ```ts
 * const trait = new MetricRubricTrait({ name: 'Dose', metrics: ['recall'], tpInstructions: [{ instruction: 'States the dose', harm: 3 }] });
 * harmItems(listItems(trait), []) // => [{ required: true, severity: 3, verdict: null }]
 * ```
 */
export function harmItems(
  items: readonly RubricItem[],
  verdicts: readonly Pick<ItemVerdict, 'id' | 'verdict'>[],
): HarmItem[] {
  return weighItems(items, verdicts).map(({ required, severity, verdict }) => ({
    required,
    severity,
    verdict,
  }));
}

function weighItems(...[items, verdicts]: Parameters<typeof pointItems>): WeightedItem[] {
  const byId = new Map(verdicts.map(({ id, verdict }) => [id, verdict]));
  return items.map((item) => weighItem(item, byId.get(item.id) ?? null));
}

/** A part of a whole: what counts, of what could count. */
export interface Share {
  readonly part: number;
  readonly whole: number;
}

/** What one answer adds to a score over items; null where it adds nothing. */
export interface AnswerShares {
  /** Over settled items. */
  readonly settled: Share | null;
  /** Had every open item been settled so that the score is as small as it can be, and as large. */
  readonly least: Share | null;
  readonly most: Share | null;
}

/** `mean`: of the values of questions. `clipped_mean`: that, clipped to 0 to 1. `mean_of_clipped`: of their clipped values. `pooled`: all parts, of all wholes. */
export type ShareMean = 'mean' | 'clipped_mean' | 'mean_of_clipped' | 'pooled';

const NOTHING: AnswerShares = { settled: null, least: null, most: null };

/** The score over the shares of questions; null without any. */
export function averageShares(shares: readonly Share[], over: ShareMean): number | null {
  const { part, whole } = sumShares(shares, over);
  return whole === 0 ? null : divideSums(part, whole, over);
}

/** What each question adds to the numerator and to the denominator, and the sums. */
export function sumShares(shares: readonly Share[], over: ShareMean) {
  const parts = Float64Array.from(shares, ({ part }) =>
    over === 'mean_of_clipped' ? clipShare(part) : part,
  );
  const wholes = Float64Array.from(shares, ({ whole }) => whole);
  return { parts, wholes, part: total(parts), whole: total(wholes) };
}

/** Clips inside each replicate, too. */
export function divideSums(part: number, whole: number, over: ShareMean): number {
  return over === 'clipped_mean' ? clipShare(part / whole) : part / whole;
}

/** Points met, of the positive points. */
export function pointShares(items: readonly Pick<PointItem, 'points' | 'verdict'>[]): AnswerShares {
  const sums = { met: 0, wanted: 0, openGain: 0, openLoss: 0 };
  for (const { points, verdict } of items) {
    if (!isSettled({ verdict })) sums[points > 0 ? 'openGain' : 'openLoss'] += points;
    else {
      if (verdict === 'present') sums.met += points;
      if (points > 0) sums.wanted += points;
    }
  }
  const { met, wanted, openGain, openLoss } = sums;
  const whole = wanted + openGain;
  return {
    settled: wanted === 0 ? null : { part: met, whole: wanted },
    least: whole === 0 ? null : { part: met + openLoss, whole },
    most: whole === 0 ? null : { part: met + openGain, whole },
  };
}

/** Whether an answer fails a critical item: wanted and absent or contradicted, or harmful and present. */
export function criticalShares(items: readonly PointItem[]): AnswerShares {
  const critical = items.filter((item) => item.critical === true);
  if (critical.length === 0) return NOTHING;
  const isFailed = critical.some(
    (item) => isSettled(item) && (item.points > 0 ? item.verdict !== 'present' : item.verdict === 'present'),
  );
  const isOpen = !isFailed && !critical.every(isSettled);
  return yesOrNo({ holds: isFailed, isOpen, isKnown: !isOpen });
}

/** The severity of required items left out, of all required. */
export function omissionShares(items: readonly HarmItem[]): AnswerShares {
  return pooledShares(
    items.filter(({ required }) => required),
    ({ verdict }) => verdict === 'absent',
  );
}

/** The severity of forbidden items said and required ones contradicted, of all. */
export function commissionShares(items: readonly HarmItem[]): AnswerShares {
  return pooledShares(items, isCommitted);
}

/** Required items contradicted, of all required. */
export function contradictionShares(items: readonly HarmItem[]): AnswerShares {
  return pooledShares(
    withoutSeverity(items.filter(({ required }) => required)),
    ({ verdict }) => verdict === 'contradicted',
  );
}

/** Whether an answer has an omission or a commission of at least this severity. */
export function anyHarmShares(items: readonly HarmItem[], minSeverity = 0): AnswerShares {
  if (items.length === 0) return NOTHING;
  const counts = ({ severity = 1 }: HarmItem) => severity > 0 && severity >= minSeverity;
  const holds = items.some((item) => (isOmitted(item) || isCommitted(item)) && counts(item));
  const isOpen = items.some((item) => !isSettled(item) && counts(item));
  return yesOrNo({ holds, isOpen, isKnown: items.some(isSettled) });
}

/** The same items, all of severity 1. */
export function withoutSeverity(items: readonly HarmItem[]): HarmItem[] {
  return items.map(({ required, verdict }) => ({ required, verdict }));
}

function yesOrNo(answer: {
  readonly holds: boolean;
  /** Whether open items could make it hold. */
  readonly isOpen: boolean;
  readonly isKnown: boolean;
}): AnswerShares {
  const share = (holds: boolean) => ({ part: Number(holds), whole: 1 });
  return {
    settled: answer.isKnown ? share(answer.holds) : null,
    least: share(answer.holds),
    most: share(answer.holds || answer.isOpen),
  };
}

function isOmitted({ required, verdict }: HarmItem): boolean {
  return required && verdict === 'absent';
}

function isCommitted({ required, verdict }: HarmItem): boolean {
  return required ? verdict === 'contradicted' : verdict === 'present';
}

/** The severity of settled items that count, of all settled; open ones could count or not. */
function pooledShares(items: readonly HarmItem[], counts: (item: HarmItem) => boolean): AnswerShares {
  const sums = { part: 0, whole: 0, open: 0 };
  for (const item of items) {
    const { severity = 1 } = item;
    if (!isSettled(item)) sums.open += severity;
    else {
      sums.whole += severity;
      if (counts(item)) sums.part += severity;
    }
  }
  const { part, open } = sums;
  const whole = sums.whole + open;
  return {
    settled: sums.whole === 0 ? null : { part, whole: sums.whole },
    least: whole === 0 ? null : { part, whole },
    most: whole === 0 ? null : { part: part + open, whole },
  };
}

function total(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0);
}
