import { KrisisError, quoted } from '../core/index.ts';
import type { ConfusionCounts, ConfusionLists } from './confusion-lists.ts';
import { itemsOf, type MetricRubricTrait, type RubricItem } from './traits/metric-trait.ts';
import type { Bucket } from './traits/vocabulary.ts';
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
 * | any | unclear, not verified, judge error, none | none: it is unscored |
 *
 * @example
 * ```ts
 * const trait = new MetricRubricTrait({ name: 'BCL2', metrics: ['recall'], tpInstructions: ['Mentions BCL2', 'Mentions BAX'] });
 * const [bcl2, bax] = itemsOf(trait);
 * const { lists } = listsFromVerdicts(trait, [
 *   { id: bcl2.id, verdict: 'present', quotes: [{ text: 'the BCL2 gene', start: 4, end: 17 }], reason: null },
 *   { id: bax.id, verdict: 'absent', quotes: [], reason: null },
 * ]);
 * lists // => { tp: ['the BCL2 gene'], fn: ['Mentions BAX'], fp: [], tn: [] }
 * ```
 */
export function listsFromVerdicts(trait: MetricRubricTrait, verdicts: readonly ItemVerdict[]): VerdictLists {
  const items = itemsOf(trait);
  const byId = verdictsById(verdicts, trait.name);
  const lists: Record<Bucket, string[]> = { tp: [], fn: [], fp: [], tn: [] };
  const instructions = { tp: 0, fn: 0, fp: 0, tn: 0 };
  const unscored: UnscoredItem[] = [];
  for (const item of items) {
    const found = entriesOf(item, byId.get(item.id), trait);
    if ('reason' in found) unscored.push(found);
    else {
      for (const { bucket, texts } of found.entries) {
        lists[bucket].push(...texts);
        instructions[bucket] += 1;
      }
    }
  }
  assertIdentities(trait, items, unscored, instructions);
  return { lists, instructions, unscored, nItems: items.length };
}

interface Entry {
  readonly bucket: Bucket;
  readonly texts: readonly string[];
}

function entriesOf(
  item: RubricItem,
  given: ItemVerdict | undefined,
  trait: MetricRubricTrait,
): UnscoredItem | { entries: Entry[] } {
  if (given === undefined) return { item, reason: 'no_verdict', detail: null };
  const { verdict, reason: detail } = given;
  if (verdict === 'unclear' || verdict === 'unverified' || verdict === 'judge_error')
    return { item, reason: verdict, detail };
  const quotes = placedQuotes(given, trait.repeatedExtraction);
  if (verdict !== 'absent' && quotes.length === 0)
    return {
      item,
      reason: 'unverified',
      detail: detail ?? `${verdict} without a quote that stands in the answer`,
    };
  const instruction = [item.instruction];
  if (item.kind === 'forbidden') {
    return {
      entries: [
        verdict === 'present' ? { bucket: 'fp', texts: quotes } : { bucket: 'tn', texts: instruction },
      ],
    };
  }
  if (verdict === 'present') return { entries: [{ bucket: 'tp', texts: quotes }] };
  const missed: Entry = { bucket: 'fn', texts: instruction };
  // Without a list of forbidden claims, a wrong claim for the same slot is the only thing precision can see.
  const wrong = verdict === 'contradicted' && trait.evaluationMode === 'tp_only';
  return { entries: wrong ? [missed, { bucket: 'fp', texts: quotes }] : [missed] };
}

/** The quotes that stand in the answer: the first, or one for each place. */
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
      throw new KrisisError(
        `trait ${quoted(traitName)}: two verdicts for item ${quoted(verdict.id)}; expected one: score the passes of a judge one by one`,
        { value: verdict.id },
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
