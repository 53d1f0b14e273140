import { argumentError, KrisisError } from '../core/errors.ts';
import { quoted } from '../core/plain-text.ts';
import { DEFAULT_LEVEL } from '../statistics/score-options.ts';
import {
  boundsOfCounts,
  type ConfusionCounts,
  type ConfusionLists,
  type ListScore,
  type OpenItems,
  scoresOfCounts,
} from './confusion-metrics.ts';
import { listItems, type MetricRubricTrait, type RubricItem } from './traits/metric-trait.ts';
import type { Bucket } from './traits/trait.ts';
import type { ItemVerdict } from './verdict.ts';

/** An item that is in no list, and why. */
export interface UnscoredItem {
  readonly item: RubricItem;
  readonly reason: 'unclear' | 'unverified' | 'judge_error' | 'no_verdict';
  /** What went wrong, in words. */
  readonly detail: string | null;
}

/** The four lists that verdicts give. */
export interface VerdictLists {
  readonly lists: ConfusionLists;
  /** How many instructions are behind each list; a list is longer where occurrences count. */
  readonly instructions: ConfusionCounts;
  readonly unscored: readonly UnscoredItem[];
  readonly nItems: number;
}

/**
 * The lists of a trait from one verdict per instruction. Counting is by instruction: one quote may serve two of them. With `repeated_extraction` false each place
 * that was quoted is an entry of its own. Verdicts on items of other traits may be among those given.
 *
 * | item | verdict | entry |
 * |---|---|---|
 * | required | present | the quote in tp |
 * | required | absent | the instruction in fn |
 * | required | contradicted | the instruction in fn, and in `tp_only` the quote in fp |
 * | forbidden | present | the quote in fp |
 * | forbidden | absent or contradicted | the instruction in tn |
 * | any, by a grader that explains and does not quote | present | the instruction in tp or fp |
 * | any | unclear, not verified, judge error, none | none: it is unscored |
 *
 * @example
 * ```ts
 * const trait = new MetricRubricTrait({ name: 'BCL2', metrics: ['recall'], tpInstructions: ['Mentions BCL2', 'Mentions BAX'] });
 * const [bcl2, bax] = listItems(trait);
 * const { lists } = listsFromVerdicts(trait, [
 *   { id: bcl2.id, verdict: 'present', quotes: [{ text: 'the BCL2 gene', start: 4, end: 17 }], reason: null },
 *   { id: bax.id, verdict: 'absent', quotes: [], reason: null },
 * ]);
 * lists // => { tp: ['the BCL2 gene'], fn: ['Mentions BAX'], fp: [], tn: [] }
 * ```
 */
export function listsFromVerdicts(trait: MetricRubricTrait, verdicts: readonly ItemVerdict[]): VerdictLists {
  const items = listItems(trait);
  const byId = verdictsById(verdicts, trait.name);
  const lists: Record<Bucket, string[]> = { tp: [], fn: [], fp: [], tn: [] };
  const instructions = { tp: 0, fn: 0, fp: 0, tn: 0 };
  const unscored: UnscoredItem[] = [];
  for (const item of items) {
    const found = sortEntries(item, byId.get(item.id), trait);
    if ('reason' in found) {
      unscored.push(found);
      continue;
    }
    for (const bucket of found.buckets) {
      lists[bucket].push(...(bucket === 'tp' || bucket === 'fp' ? found.quotes : [item.instruction]));
      instructions[bucket] += 1;
    }
  }
  assertIdentities(trait, items, unscored, instructions);
  return { lists, instructions, unscored, nItems: items.length };
}

function sortEntries(
  item: RubricItem,
  given: ItemVerdict | undefined,
  trait: MetricRubricTrait,
): UnscoredItem | { readonly buckets: readonly Bucket[]; readonly quotes: readonly string[] } {
  if (given === undefined) return { item, reason: 'no_verdict', detail: null };
  const { verdict, reason: detail } = given;
  if (verdict === 'unclear' || verdict === 'unverified' || verdict === 'judge_error')
    return { item, reason: verdict, detail };
  const quotes =
    given.explanation === undefined ? placedQuotes(given, trait.repeatedExtraction) : [item.instruction];
  if (verdict !== 'absent' && quotes.length === 0)
    return {
      item,
      reason: 'unverified',
      detail: detail ?? `${verdict} without a quote verified against the answer`,
    };
  if (item.kind === 'forbidden') return { buckets: [verdict === 'present' ? 'fp' : 'tn'], quotes };
  if (verdict === 'present') return { buckets: ['tp'], quotes };
  // Without a list of forbidden claims, a wrong claim for the same slot is the only thing precision can see.
  const wrong = verdict === 'contradicted' && trait.evaluationMode === 'tp_only';
  return { buckets: wrong ? ['fn', 'fp'] : ['fn'], quotes };
}

/** The verified quotes: the first, or one for each place. */
function placedQuotes({ quotes }: ItemVerdict, once: boolean): string[] {
  const byPlace = new Map<string, string>();
  for (const { text, start, end } of quotes) {
    if (start !== null && end !== null && !byPlace.has(`${start}-${end}`))
      byPlace.set(`${start}-${end}`, text);
  }
  return [...byPlace.values()].slice(0, once ? 1 : undefined);
}

function verdictsById(verdicts: readonly ItemVerdict[], traitName: string): Map<string, ItemVerdict> {
  const byId = new Map<string, ItemVerdict>();
  for (const verdict of verdicts) {
    if (byId.has(verdict.id)) {
      throw argumentError(
        `trait ${quoted(traitName)}: two verdicts for item ${quoted(verdict.id)}; expected one: score the passes of a judge one by one`,
        verdict.id,
      );
    }
    byId.set(verdict.id, verdict);
  }
  return byId;
}

/** TP + FN = required items scored and, in `full_matrix`, FP + TN = forbidden items scored. */
function assertIdentities(
  trait: MetricRubricTrait,
  items: readonly RubricItem[],
  unscored: readonly UnscoredItem[],
  { tp, fn, fp, tn }: ConfusionCounts,
): void {
  const scored = (kind: RubricItem['kind']) =>
    items.filter((item) => item.kind === kind).length -
    unscored.filter(({ item }) => item.kind === kind).length;
  const holds =
    tp + fn === scored('required') && (trait.evaluationMode === 'tp_only' || fp + tn === scored('forbidden'));
  if (!holds) {
    throw new KrisisError(`trait ${quoted(trait.name)}: items and lists do not add up`, {
      code: 'ERR_INTERNAL',
      value: { tp, fn, fp, tn },
    });
  }
}

/** The score of one answer on one trait. */
export interface VerdictScore extends ListScore, VerdictLists {
  /** Items with a usable verdict, of `nItems`. */
  readonly nScored: number;
  /** Items without one. */
  readonly open: OpenItems;
}

/**
 * The metrics of a trait from one verdict per instruction. Unscored items are in no count; bounds beside the value show what it could have been had they been scored.
 * Where occurrences count (`repeated_extraction` false) an unscored item could be any number of them, and there are no bounds.
 *
 * @example
 * ```ts
 * const trait = new MetricRubricTrait({
 *   name: 'BCL2',
 *   metrics: ['recall'],
 *   tpInstructions: ['Mentions BCL2', 'Mentions BAX', 'Mentions cancer'],
 * });
 * const [bcl2, bax, cancer] = listItems(trait);
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
