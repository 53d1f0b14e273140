import { DEFAULT_LEVEL } from '../statistics/index.ts';
import { boundsOfCounts, type OpenItems } from './score-bounds.ts';
import type { ListScore } from './score-lists.ts';
import { scoresOfCounts } from './trait-metrics.ts';
import type { MetricRubricTrait } from './traits/metric-trait.ts';
import type { ItemVerdict } from './verdict.ts';
import { listsFromVerdicts, type VerdictLists } from './verdict-lists.ts';

/** The score of one answer on one trait. */
export interface VerdictScore extends ListScore, VerdictLists {
  /** Items with a usable verdict, of `nItems`. */
  readonly nScored: number;
  /** Items without one. */
  readonly open: OpenItems;
}

/**
 * The metrics of a trait from one verdict per instruction. Unscored items are in no count; beside the value stands what it could have been had they been scored.
 * Where occurrences count (`repeated_extraction` false) an unscored item could be any number of them, and there are no bounds.
 *
 * @example
 * ```ts
 * const trait = new MetricRubricTrait({
 *   name: 'BCL2',
 *   metrics: ['recall'],
 *   tpInstructions: ['Mentions BCL2', 'Mentions BAX', 'Mentions cancer'],
 * });
 * const [bcl2, bax, cancer] = itemsOf(trait);
 * const { metrics, nScored } = scoreVerdicts(trait, [
 *   { id: bcl2.id, verdict: 'present', quotes: [{ text: 'BCL2', start: 0, end: 4 }], reason: null },
 *   { id: bax.id, verdict: 'absent', quotes: [], reason: null },
 *   { id: cancer.id, verdict: 'unclear', quotes: [], reason: null },
 * ]);
 * [metrics.recall.value, nScored] // => [0.5, 2]
 * metrics.recall.bounds // => { lower: 0.3333333333333333, upper: 0.6666666666666666 }
 * ```
 */
export function scoreVerdicts(
  trait: MetricRubricTrait,
  verdicts: readonly ItemVerdict[],
  { level = DEFAULT_LEVEL }: { readonly level?: number } = {},
): VerdictScore {
  const found = listsFromVerdicts(trait, verdicts);
  const { tp, fn, fp, tn } = found.lists;
  const counts = { tp: tp.length, fn: fn.length, fp: fp.length, tn: tn.length };
  const required = found.unscored.filter(({ item }) => item.kind === 'required').length;
  const open = { required, forbidden: found.unscored.length - required };
  const metrics = scoresOfCounts(
    trait.metrics,
    counts,
    (metric) =>
      trait.repeatedExtraction ? boundsOfCounts(metric, counts, open, trait.evaluationMode) : null,
    level,
  );
  return { ...found, metrics, counts, open, nScored: found.nItems - found.unscored.length };
}
