import type { RubricItem } from '../../../rubrics/traits/metric-trait.ts';
import {
  type AnswerShares,
  anyHarmShares,
  commissionShares,
  contradictionShares,
  criticalShares,
  omissionShares,
  pointShares,
  type ShareMean,
  type WeightedItem,
  withoutSeverity,
} from '../../../rubrics/weighted/item-shares.ts';

/** A score over the items of all answers. A new one is an entry in `MEASURES`: gates, reports, comparisons and JSON then have it. */
export interface ItemMeasure {
  /** The name by which gates and JSON know it. */
  readonly name: string;
  readonly label: string;
  /** What the number says, in a few words. */
  readonly reads: string;
  readonly better: 'higher' | 'lower';
  readonly over: ShareMean;
  /** Whether an answer has 0 or 1. */
  readonly isBinary: boolean;
  /** Whether it is another reading of a score before it: shown beside it, and not compared again. Default: false. */
  readonly isVariant?: true;
  /** Whether the items of a trait give the measure something to say. */
  isAskedFor(items: readonly RubricItem[]): boolean;
  shares(items: readonly WeightedItem[]): AnswerShares;
}

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
    shares: omissionShares,
  },
  {
    ...HARM,
    name: 'omission_harm.unweighted',
    isVariant: true,
    label: 'Harm of omission, all weights 1',
    reads: 'required items left out',
    shares: (items) => omissionShares(withoutSeverity(items)),
  },
  {
    ...HARM,
    name: 'commission_harm',
    label: 'Harm of commission',
    reads: 'forbidden items said and required ones contradicted, weighted by harm',
    shares: commissionShares,
  },
  {
    ...HARM,
    name: 'commission_harm.unweighted',
    isVariant: true,
    label: 'Harm of commission, all weights 1',
    reads: 'forbidden items said and required ones contradicted',
    shares: (items) => commissionShares(withoutSeverity(items)),
  },
  {
    ...HARM,
    name: 'any_harm',
    isVariant: true,
    label: 'Questions with a harm',
    reads: 'questions with an omission or a commission',
    over: 'mean',
    isBinary: true,
    shares: (items) => anyHarmShares(items),
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
