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
export function searchText({
  id,
  prediction,
  reasons,
}: Pick<RecordLine, 'id' | 'prediction' | 'reasons'>): string {
  return folded([id, prediction ?? '', ...reasons].join('\n'));
}

/** Whether confidence plots count the row. */
export function isUsable({ outcome, confidence }: Pick<RecordLine, 'outcome' | 'confidence'>): boolean {
  const graded = outcome === 'answered_correct' || outcome === 'answered_wrong';
  return graded && confidence !== null && confidence >= 0 && confidence <= 1;
}

/** `key:value` of a filter. */
export function groupOf(text: string): { readonly key: string; readonly value: string } {
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

/**
 * Whether a row matches a filter. An export filters with this function in the page; the server uses SQL (query-records.ts), and a test checks that the two agree.
 *
 * @param flipIds The ids that `filter.flips` means; the caller looks them up.
 */
export function matches(line: RecordLine, filter: RecordFilter, flipIds?: ReadonlySet<string>): boolean {
  return (
    isAmong(filter.outcome, line.outcome) &&
    isAmong(filter.decision_class, String(line.decision_class)) &&
    isAmong(filter.case_kind, line.case_kind) &&
    isAmong(filter.must_act, String(line.must_act)) &&
    isAmong(filter.urgent, String(line.urgent)) &&
    isAmong(filter.label?.map(labelTextKey), labelTextKey(line.label)) &&
    isAmong(filter.prediction?.map(labelTextKey), labelTextKey(line.prediction)) &&
    isAmong(filter.stratum, line.stratum ?? 'none') &&
    isAmong(filter.should_abstain, String(line.should_abstain)) &&
    fitsConfidence(line.confidence, filter) &&
    fitsReasons(line, filter.reason) &&
    fitsGroups(line, filter.group) &&
    (filter.repeat === undefined || line.repeat === filter.repeat) &&
    (filter.usable === undefined || isUsable(line) === filter.usable) &&
    (filter.scored === undefined || isScoredOutcome(line.outcome) === filter.scored) &&
    (!filter.text || searchText(line).includes(folded(filter.text))) &&
    (filter.flips === undefined || (flipIds?.has(line.id) ?? false))
  );
}

function isAmong(wanted: readonly string[] = [], value: string): boolean {
  return wanted.length === 0 || wanted.includes(value);
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

function fitsReasons({ reasons }: RecordLine, wanted: readonly string[] = []): boolean {
  return wanted.length === 0 || wanted.some((reason) => reasons.includes(reason));
}

function fitsGroups({ groups }: RecordLine, wanted: readonly string[] = []): boolean {
  const chosen = wanted.map(groupOf);
  return chosen.every(({ key }) =>
    chosen.some((other) => other.key === key && Object.hasOwn(groups, key) && groups[key] === other.value),
  );
}

export const SORT_KEYS = ['id', 'confidence', 'label', 'prediction', 'outcome', 'harm'] as const;
type SortKey = (typeof SORT_KEYS)[number];

/** `-confidence` as key and direction; null if it is not an order. */
export function sortOf(sort: string): { readonly key: SortKey; readonly descending: boolean } | null {
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
  const sort = filter.sort ? sortOf(filter.sort) : null;
  if (sort !== null) found.sort((a, b) => compareLines(a, b, sort));
  const offset = filter.offset ?? 0;
  return { total: found.length, rows: found.slice(offset, offset + (filter.limit ?? DEFAULT_LIMIT)) };
}

function compareLines(
  a: RecordLine,
  b: RecordLine,
  { key, descending }: { readonly key: SortKey; readonly descending: boolean },
): number {
  if (key !== 'harm') return compareBy(a[key], b[key], descending);
  return compareBy(harmRank(a), harmRank(b), descending) || compareBy(a.confidence, b.confidence, true);
}

function harmRank({ decision_class: name }: RecordLine): number | null {
  return name === null ? null : DECISION_CLASSES.indexOf(name);
}

function compareBy(a: string | number | null, b: string | number | null, descending: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const order = typeof a === 'number' ? a - (b as number) : compareTexts(a, b as string);
  return descending ? -order : order;
}
