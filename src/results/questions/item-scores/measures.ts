import type { RubricItem } from '../../../rubrics/index.ts';
import { isSettled, type MeasuredItem } from './measured-item.ts';

/** A part of a whole: what counts, of what could count. */
export interface Share {
  readonly part: number;
  readonly whole: number;
}

/** What one answer adds to a measure; null where it adds nothing. */
export interface AnswerShares {
  /** Over settled items. */
  readonly settled: Share | null;
  /** Had every open item been settled so that the measure is as small as it can be, and as large. */
  readonly least: Share | null;
  readonly most: Share | null;
}

/** A score over the items of all answers. A new one is an entry in `MEASURES`: gates, reports, comparisons and JSON then have it. */
export interface ItemMeasure {
  /** The name by which gates and JSON know it. */
  readonly name: string;
  readonly label: string;
  /** What the number says, in a few words. */
  readonly reads: string;
  readonly better: 'higher' | 'lower';
  /** `mean`: of the values of questions. `clipped_mean`: that, clipped to 0 to 1. `mean_of_clipped`: of their clipped values. `pooled`: all parts, of all wholes. */
  readonly over: 'mean' | 'clipped_mean' | 'mean_of_clipped' | 'pooled';
  /** Whether an answer has 0 or 1. */
  readonly isBinary: boolean;
  /** Whether it is another reading of a score before it: shown beside it, and not compared again. Default: false. */
  readonly isVariant?: true;
  /** Whether the items of a trait give the measure something to say. */
  isAskedFor(items: readonly RubricItem[]): boolean;
  shares(items: readonly MeasuredItem[]): AnswerShares;
}

const NOTHING: AnswerShares = { settled: null, least: null, most: null };

const hasPoints: ItemMeasure['isAskedFor'] = (items) => items.some(({ points }) => points !== undefined);
const hasCritical: ItemMeasure['isAskedFor'] = (items) => items.some(({ critical }) => critical === true);
const hasHarm: ItemMeasure['isAskedFor'] = (items) => items.some(({ harm }) => harm !== undefined);

const WEIGHTED = { better: 'higher', isBinary: false, isAskedFor: hasPoints, shares: pointShares } as const;
const HARM = { better: 'lower', over: 'pooled', isBinary: false, isAskedFor: hasHarm } as const;

/** Every score over items, in the order of a report. */
export const MEASURES: readonly ItemMeasure[] = [
  {
    ...WEIGHTED,
    name: 'weighted_score',
    label: 'Weighted score',
    reads: 'points met, of the positive points; mean over questions, then clipped to 0 to 1',
    over: 'clipped_mean',
  },
  {
    ...WEIGHTED,
    name: 'weighted_score.by_question',
    isVariant: true,
    label: 'Weighted score, clipped by question',
    reads: 'every question clipped to 0 to 1 before the mean',
    over: 'mean_of_clipped',
  },
  {
    name: 'critical_failure_rate',
    label: 'Critical failure rate',
    reads: 'questions that fail a critical item',
    better: 'lower',
    over: 'mean',
    isBinary: true,
    isAskedFor: hasCritical,
    shares: criticalShares,
  },
  {
    ...HARM,
    name: 'omission_harm',
    label: 'Harm of omission',
    reads: 'required items left out, weighted by harm',
    shares: (items) => omissionShares(items),
  },
  {
    ...HARM,
    name: 'omission_harm.unweighted',
    isVariant: true,
    label: 'Harm of omission, all weights 1',
    reads: 'required items left out',
    shares: (items) => omissionShares(unweighted(items)),
  },
  {
    ...HARM,
    name: 'commission_harm',
    label: 'Harm of commission',
    reads: 'forbidden items said and required ones contradicted, weighted by harm',
    shares: (items) => commissionShares(items),
  },
  {
    ...HARM,
    name: 'commission_harm.unweighted',
    isVariant: true,
    label: 'Harm of commission, all weights 1',
    reads: 'forbidden items said and required ones contradicted',
    shares: (items) => commissionShares(unweighted(items)),
  },
  {
    ...HARM,
    name: 'any_harm',
    isVariant: true,
    label: 'Questions with a harm',
    reads: 'questions with an omission or a commission',
    over: 'mean',
    isBinary: true,
    shares: anyHarmShares,
  },
  {
    name: 'contradiction_rate',
    label: 'Contradiction rate',
    reads: 'required items that the answer denies, of those settled',
    better: 'lower',
    over: 'pooled',
    isBinary: false,
    // Traits of full_matrix have one each; over all traits it is shown beside what items weigh.
    isAskedFor: (items) => hasPoints(items) || hasHarm(items) || hasCritical(items),
    shares: contradictionShares,
  },
];

/** The measure of one trait alone. */
export const CONTRADICTION = MEASURES.find(({ name }) => name === 'contradiction_rate')!;

function unweighted(items: readonly MeasuredItem[]): MeasuredItem[] {
  return items.map((item) => ({ ...item, severity: 1 }));
}

function pointShares(items: readonly MeasuredItem[]): AnswerShares {
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

function criticalShares(items: readonly MeasuredItem[]): AnswerShares {
  const critical = items.filter((item) => item.critical);
  if (critical.length === 0) return NOTHING;
  const isFailed = critical.some(
    (item) => isSettled(item) && (item.points > 0 ? item.verdict !== 'present' : item.verdict === 'present'),
  );
  const isOpen = !isFailed && !critical.every(isSettled);
  return yesOrNo({ holds: isFailed, isOpen, isKnown: !isOpen });
}

function omissionShares(items: readonly MeasuredItem[]): AnswerShares {
  return pooledShares(
    items.filter(({ required }) => required),
    ({ verdict }) => verdict === 'absent',
  );
}

function commissionShares(items: readonly MeasuredItem[]): AnswerShares {
  return pooledShares(items, isCommitted);
}

function contradictionShares(items: readonly MeasuredItem[]): AnswerShares {
  return pooledShares(
    unweighted(items.filter(({ required }) => required)),
    ({ verdict }) => verdict === 'contradicted',
  );
}

function anyHarmShares(items: readonly MeasuredItem[]): AnswerShares {
  if (items.length === 0) return NOTHING;
  const holds = items.some((item) => isOmitted(item) || isCommitted(item));
  return yesOrNo({ holds, isOpen: !items.every(isSettled), isKnown: items.some(isSettled) });
}

function yesOrNo(said: {
  readonly holds: boolean;
  /** Whether open items could make it hold. */
  readonly isOpen: boolean;
  readonly isKnown: boolean;
}): AnswerShares {
  const share = (holds: boolean) => ({ part: Number(holds), whole: 1 });
  return {
    settled: said.isKnown ? share(said.holds) : null,
    least: share(said.holds),
    most: share(said.holds || said.isOpen),
  };
}

function isOmitted({ required, verdict }: MeasuredItem): boolean {
  return required && verdict === 'absent';
}

function isCommitted({ required, verdict }: MeasuredItem): boolean {
  return required ? verdict === 'contradicted' : verdict === 'present';
}

/** The severity of settled items that count, of all settled; open ones could count or not. */
function pooledShares(items: readonly MeasuredItem[], counts: (item: MeasuredItem) => boolean): AnswerShares {
  const sums = { part: 0, whole: 0, open: 0 };
  for (const item of items) {
    if (!isSettled(item)) sums.open += item.severity;
    else {
      sums.whole += item.severity;
      if (counts(item)) sums.part += item.severity;
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
