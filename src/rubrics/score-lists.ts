import { DEFAULT_LEVEL } from '../statistics/index.ts';
import { type ConfusionCounts, type ConfusionLists, countLists } from './confusion-lists.ts';
import { scoresOfCounts, type TraitMetricScores } from './trait-metrics.ts';
import type { MetricRubricTrait } from './traits/metric-trait.ts';

/** The metrics of a trait, and the counts that they were made of. */
export interface ListScore {
  readonly metrics: TraitMetricScores;
  readonly counts: ConfusionCounts;
}

/**
 * The metrics of a trait from four lists that somebody made. It is plain arithmetic on their sizes, and so depends on how finely they were chopped: where verdicts
 * per instruction exist, `scoreVerdicts` is the better measure. A zero denominator gives null with a reason.
 *
 * @example
 * ```ts
 * const trait = new MetricRubricTrait({
 *   name: 'BCL2 coverage',
 *   metrics: ['precision', 'recall'],
 *   tpInstructions: ['Mentions BCL2', 'States that BCL2 is on chromosome 18'],
 * });
 * const lists = { tp: ['BCL2', 'bcl2 '], fn: ['States that BCL2 is on chromosome 18'], fp: [], tn: [] };
 * const { metrics, counts } = scoreConfusionLists(trait, lists);
 * metrics.recall.value // => 0.5
 * metrics.precision.value // => 1
 * counts // => { tp: 1, fn: 1, fp: 0, tn: 0 }
 * ```
 */
export function scoreConfusionLists(
  trait: MetricRubricTrait,
  lists: Partial<ConfusionLists>,
  { level = DEFAULT_LEVEL }: { readonly level?: number } = {},
): ListScore {
  const counts = countLists(trait, lists);
  return { metrics: scoresOfCounts(trait.metrics, counts, () => null, level), counts };
}
