import { DECISION_CLASSES, labelKey } from '../../core/browser.ts';
import type { RecordLine } from './record-line.ts';

/** Longer texts of a row, which a search covers on request. */
export const SEARCHED_TEXTS = ['reply', 'features', 'metadata'] as const;
export type SearchedText = (typeof SEARCHED_TEXTS)[number];

/** Which rows of a run to list, as an address writes it: `outcome=answered_wrong&confidence_from=0.9&group=sex:female&sort=-confidence`. A list repeats its name. */
export interface RecordFilter {
  readonly outcome?: readonly string[];
  /** Decision classes; `null` for records that were not asked. */
  readonly decision_class?: readonly string[];
  readonly case_kind?: readonly string[];
  /** `true`, `false` or `null`. */
  readonly must_act?: readonly string[];
  /** `true`, `false` or `null`. */
  readonly urgent?: readonly string[];
  /** Labels are compared ignoring case; `null` means none. */
  readonly label?: readonly string[];
  readonly prediction?: readonly string[];
  /** A range is half open, like a bin: it includes `from` and excludes `to`, unless that is 1. */
  readonly confidence_from?: number;
  readonly confidence_to?: number;
  /** Values of the task's stratum; `none` for a row without one. */
  readonly stratum?: readonly string[];
  readonly reason?: readonly string[];
  /** `key:value`, a key of `subgroups`. Values of one key are alternatives; all keys must match. */
  readonly group?: readonly string[];
  /** `true`, `false` or `null`. */
  readonly should_abstain?: readonly string[];
  readonly repeat?: number;
  /** Rows that confidence plots count (answered right or wrong, confidence from 0 to 1): a bin is `usable=true&confidence_from=...&confidence_to=...`. */
  readonly usable?: boolean;
  /** Scored rows, which neither failed nor were left out: what matrices and dots count. */
  readonly scored?: boolean;
  /** A part of the id, the answer or a reason, ignoring case; of the texts that `search_in` names too. */
  readonly text?: string;
  /** Where `text` is looked for besides id, answer and reasons. Default: nowhere else. */
  readonly search_in?: readonly SearchedText[];
  /** Metadata keys whose values each row has under `metadata`. Default: none. */
  readonly column?: readonly string[];
  /** Records that only one of two runs has right: `ID:only_a` (this run, not run ID), `ID:only_b` (run ID, not this one). */
  readonly flips?: string;
  /**
   * id, confidence, label, prediction or outcome; with `-` in front for descending order. `harm`: by decision class, the worst first, and
   * within a class the surest first. Default: the order of the file.
   */
  readonly sort?: string;
  /** Default: 0. */
  readonly offset?: number;
  /** Default: 100. */
  readonly limit?: number;
}

/** Bins include a confidence that is this much below their edge. */
export const EDGE_TOLERANCE = 5e-11;
export const DEFAULT_LIMIT = 100;

/** Whether rows of this class are scored. */
export function isScoredOutcome(outcome: string): boolean {
  return outcome !== 'not_run' && !outcome.startsWith('failed_');
}

/** The form in which texts of labels are compared; true and false are 1 and 0, as for labels that are not texts. */
export function labelTextKey(text: string | null): string {
  if (text === null) return 'null';
  const key = String(labelKey(text)).toWellFormed();
  return key === 'true' ? '1' : key === 'false' ? '0' : key;
}

export function folded(text: string): string {
  return text.toWellFormed().toLowerCase();
}

/** The text that a search covers. */
export function searchText({ id, prediction, reasons }: RecordLine): string {
  return folded([id, prediction ?? '', ...reasons].join('\n'));
}

/** Whether confidence plots count the row. */
export function isUsable({ outcome, confidence }: RecordLine): boolean {
  const graded = outcome === 'answered_correct' || outcome === 'answered_wrong';
  return graded && confidence !== null && confidence >= 0 && confidence <= 1;
}

/** `key:value` of a filter. */
export function parseGroup(text: string): { readonly key: string; readonly value: string } {
  const colon = text.indexOf(':');
  return { key: text.slice(0, Math.max(0, colon)), value: text.slice(colon + 1) };
}

/** The run and the side that `flips` names; null if it names none. */
export function flipsOfFilter(
  text: string,
): { readonly run: string; readonly side: 'only_a' | 'only_b' } | null {
  const found = /^(.+):(only_a|only_b)$/s.exec(text);
  return found && { run: found[1]!, side: found[2] as 'only_a' | 'only_b' };
}

/** The exclusive upper limit of a confidence: the edge belongs to the next bin, but 1 to the last. */
export function upperEdge(to: number): number {
  return to === 1 ? 1 + Number.EPSILON : to - EDGE_TOLERANCE;
}

/** The lists of a filter, with the values of a row that each is compared with. */
const LISTS = {
  decision_class: ({ decision_class }) => [String(decision_class)],
  case_kind: ({ case_kind }) => [case_kind],
  outcome: ({ outcome }) => [outcome],
  label: ({ label }) => [label ?? 'null'],
  prediction: ({ prediction }) => [prediction ?? 'null'],
  stratum: ({ stratum }) => [stratum ?? 'none'],
  reason: ({ reasons }) => [...new Set(reasons)],
  should_abstain: ({ should_abstain }) => [String(should_abstain)],
  urgent: ({ urgent }) => [String(urgent)],
  must_act: ({ must_act }) => [String(must_act)],
} satisfies Record<string, (line: RecordLine) => readonly string[]>;
export const LIST_KEYS = Object.keys(LISTS) as (keyof typeof LISTS)[];
/** Lists whose values are counted. */
export const FACETS = LIST_KEYS.filter((list) => list !== 'must_act');

/** Whether the values of a list are labels, which are compared ignoring case. */
export function isLabelList(list: keyof typeof LISTS): boolean {
  return list === 'label' || list === 'prediction';
}

/** The form in which values of a list are compared. */
export function comparable(list: keyof typeof LISTS, values: readonly string[] = []): readonly string[] {
  return isLabelList(list) ? values.map(labelTextKey) : values;
}

/** The values of a row that a list is compared with, in the form in which they are compared. */
export function listValues(line: RecordLine, list: keyof typeof LISTS): readonly string[] {
  return comparable(list, LISTS[list](line));
}

/**
 * Whether a row matches a filter. An export filters with this function in the page; the server uses SQL (query-records.ts), and a test checks that the two agree.
 *
 * @param flipIds The ids that `filter.flips` means; the caller looks them up.
 */
export function matches(line: RecordLine, filter: RecordFilter, flipIds?: ReadonlySet<string>): boolean {
  return (
    LIST_KEYS.every((list) => {
      const wanted = comparable(list, filter[list]);
      return wanted.length === 0 || listValues(line, list).some((value) => wanted.includes(value));
    }) &&
    fitsConfidence(line.confidence, filter) &&
    fitsGroups(line, filter.group) &&
    (filter.repeat === undefined || line.repeat === filter.repeat) &&
    (filter.usable === undefined || isUsable(line) === filter.usable) &&
    (filter.scored === undefined || isScoredOutcome(line.outcome) === filter.scored) &&
    (!filter.text || searchText(line).includes(folded(filter.text))) &&
    (filter.flips === undefined || (flipIds?.has(line.id) ?? false))
  );
}

function fitsConfidence(
  confidence: number | null,
  { confidence_from, confidence_to }: RecordFilter,
): boolean {
  if (confidence_from === undefined && confidence_to === undefined) return true;
  if (confidence === null) return false;
  return (
    confidence >= (confidence_from ?? Number.NEGATIVE_INFINITY) - EDGE_TOLERANCE &&
    confidence < upperEdge(confidence_to ?? Number.POSITIVE_INFINITY)
  );
}

function fitsGroups({ groups }: RecordLine, wanted: readonly string[] = []): boolean {
  const chosen = wanted.map(parseGroup);
  return chosen.every(({ key }) =>
    chosen.some((other) => other.key === key && Object.hasOwn(groups, key) && groups[key] === other.value),
  );
}

export const SORT_KEYS = ['id', 'confidence', 'label', 'prediction', 'outcome', 'harm'] as const;

/** `-confidence` as key and direction; null if it is not an order. */
export function parseSort(sort: string) {
  const descending = sort.startsWith('-');
  const key = SORT_KEYS.find((name) => name === (descending ? sort.slice(1) : sort));
  return key === undefined ? null : { key, descending };
}

/** Sorts numbers in names by size: r2 before r10. */
const collator = new Intl.Collator('en', { numeric: true });

export function compareTexts(a: string, b: string): number {
  return collator.compare(a, b);
}

/** A page of rows, the same that the server returns. Rows without a value come last in both directions; ties keep the order of the file. */
export function filterRecords(
  lines: readonly RecordLine[],
  filter: RecordFilter,
  flipIds?: ReadonlySet<string>,
): { readonly total: number; readonly rows: readonly RecordLine[] } {
  const found = lines.filter((line) => matches(line, filter, flipIds));
  const sort = filter.sort ? parseSort(filter.sort) : null;
  if (sort !== null) found.sort((a, b) => compareLines(a, b, sort));
  const offset = filter.offset ?? 0;
  return { total: found.length, rows: found.slice(offset, offset + (filter.limit ?? DEFAULT_LIMIT)) };
}

function compareLines(
  a: RecordLine,
  b: RecordLine,
  { key, descending }: NonNullable<ReturnType<typeof parseSort>>,
): number {
  if (key !== 'harm') return compareBy(a[key], b[key], descending);
  return compareBy(harmRank(a), harmRank(b), descending) || compareBy(a.confidence, b.confidence, true);
}

export function harmRank({ decision_class: name }: RecordLine): number | null {
  return name === null ? null : DECISION_CLASSES.indexOf(name);
}

function compareBy(a: string | number | null, b: string | number | null, descending: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const order = typeof a === 'number' ? a - (b as number) : compareTexts(a, b as string);
  return descending ? -order : order;
}

/** A value to choose, and how many rows have it: 0 for a value that only rows outside the filter have. */
type FacetCount = { readonly value: string; readonly n: number };

/** How many rows each value of the filter's lists would find. */
export interface FacetCounts {
  /** Rows that match the whole filter. */
  readonly total: number;
  /** By the name of a list in the filter. Values are counted under all other conditions of the filter, so that a value can be added to those chosen. */
  readonly counts: Readonly<Record<(typeof FACETS)[number], readonly FacetCount[]>>;
  /** The same for each key that the filter's `group` can name. */
  readonly groups: Readonly<Record<string, readonly FacetCount[]>>;
}

/** The filter without the conditions of one list, or of one key of `group`. */
export function without(
  filter: RecordFilter,
  list: keyof typeof LISTS | { readonly group: string },
): RecordFilter {
  if (typeof list === 'string') return { ...filter, [list]: [] };
  return { ...filter, group: filter.group?.filter((text) => !text.startsWith(`${list.group}:`)) ?? [] };
}

/** Counts rows by value. An export counts with this function in the page; the server uses SQL (query-records.ts), and a test checks that the two agree. */
export function countFacets(
  lines: readonly RecordLine[],
  filter: RecordFilter,
  flipIds?: ReadonlySet<string>,
): FacetCounts {
  const count = (
    chosen: RecordFilter,
    listValues: (line: RecordLine) => readonly string[],
    toKey = (value: string) => value,
  ) => {
    const counts = new Map<string, { value: string; n: number }>();
    for (const line of lines) {
      const isCounted = matches(line, chosen, flipIds);
      for (const value of listValues(line)) {
        const entry = counts.get(toKey(value)) ?? { value, n: 0 };
        counts.set(toKey(value), entry);
        if (isCounted) entry.n += 1;
      }
    }
    return byFrequency([...counts.values()]);
  };
  const keys = new Set(lines.flatMap(({ groups }) => Object.keys(groups)));
  return {
    total: lines.filter((line) => matches(line, filter, flipIds)).length,
    counts: Object.fromEntries(
      FACETS.map((list) => [
        list,
        count(without(filter, list), LISTS[list], isLabelList(list) ? labelTextKey : undefined),
      ]),
    ) as FacetCounts['counts'],
    groups: Object.fromEntries(
      [...keys].map((group) => [
        group,
        count(without(filter, { group }), ({ groups }) =>
          Object.hasOwn(groups, group) ? [groups[group]!] : [],
        ),
      ]),
    ),
  };
}

/** The most frequent value first; ties by code unit, so that both ways of counting agree. */
export function byFrequency(counts: readonly FacetCount[]): readonly FacetCount[] {
  return counts.toSorted((a, b) => b.n - a.n || (a.value < b.value ? -1 : a.value > b.value ? 1 : 0));
}
