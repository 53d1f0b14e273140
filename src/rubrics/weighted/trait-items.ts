import type { RubricItem } from '../traits/metric-trait.ts';
import type { ItemVerdict } from '../verdict.ts';
import type { HarmItem } from './harm-rates.ts';
import type { PointItem } from './weighted-score.ts';

type Verdicts = readonly Pick<ItemVerdict, 'id' | 'verdict'>[];

/** Whether a rubric says how much its items weigh: whether a weighted score would say more than recall. */
export function hasPoints(items: readonly RubricItem[]): boolean {
  return items.some(({ points }) => points !== undefined);
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
  const said = new Map(verdicts.map(({ id, verdict }) => [id, verdict]));
  return items.map(({ id, kind, points, critical = false, axis, tags = [] }) => ({
    points: points ?? (kind === 'required' ? 1 : -1),
    verdict: said.get(id) ?? null,
    critical,
    groups: [...new Set([...(axis === undefined ? [] : [axis]), ...tags])],
  }));
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
  const said = new Map(verdicts.map(({ id, verdict }) => [id, verdict]));
  return items.map(({ id, kind, harm = 1 }) => ({
    required: kind === 'required',
    severity: harm,
    verdict: said.get(id) ?? null,
  }));
}
