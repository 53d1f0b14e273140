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

type Verdicts = readonly Pick<ItemVerdict, 'id' | 'verdict'>[];

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
 * const verdicts = itemsOf(trait).map(({ id }) => ({ id, verdict: 'present' as const }));
 * pointItems(itemsOf(trait), verdicts).map(({ points, groups }) => [points, groups]) // => [[5, ['accuracy']], [1, []]]
 * ```
 */
export function pointItems(items: readonly RubricItem[], verdicts: Verdicts): PointItem[] {
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
 * harmItems(itemsOf(trait), []) // => [{ required: true, severity: 3, verdict: null }]
 * ```
 */
export function harmItems(items: readonly RubricItem[], verdicts: Verdicts): HarmItem[] {
  return weighItems(items, verdicts).map(({ required, severity, verdict }) => ({
    required,
    severity,
    verdict,
  }));
}

function weighItems(items: readonly RubricItem[], verdicts: Verdicts): WeightedItem[] {
  const byId = new Map(verdicts.map(({ id, verdict }) => [id, verdict]));
  return items.map((item) => weighItem(item, byId.get(item.id) ?? null));
}
