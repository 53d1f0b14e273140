import { labelKey } from '../core/browser.ts';
import type { RecordFilter, RecordLine } from './api.ts';

/** Bins count a confidence as theirs from this much below their edge on. */
export const EDGE_TOLERANCE = 5e-11;
export const DEFAULT_LIMIT = 100;

/** Whether a row of this class says something of the model. */
export function isScoredOutcome(outcome: string): boolean {
  return outcome !== 'not_run' && !outcome.startsWith('failed_');
}

/** The form in which the text of a label is compared; true and false are 1 and 0, as they are where they were no text yet. */
export function labelTextKey(text: string | null): string {
  if (text === null) return 'null';
  const key = String(labelKey(text)).toWellFormed();
  return key === 'true' ? '1' : key === 'false' ? '0' : key;
}

export function folded(text: string): string {
  return text.toWellFormed().toLowerCase();
}

/** What a search looks in. */
export function searchText({
  id,
  prediction,
  reasons,
}: Pick<RecordLine, 'id' | 'prediction' | 'reasons'>): string {
  return folded([id, prediction ?? '', ...reasons].join('\n'));
}

/** Whether confidence plots count the row. */
export function isUsable({
  outcome,
  label,
  confidence,
}: Pick<RecordLine, 'outcome' | 'label' | 'confidence'>): boolean {
  const answered = outcome === 'answered_correct' || outcome === 'answered_wrong';
  return answered && label !== null && confidence !== null && confidence >= 0 && confidence <= 1;
}

/** `key:value` of a filter. */
export function groupOf(text: string): { readonly key: string; readonly value: string } {
  const colon = text.indexOf(':');
  return { key: text.slice(0, Math.max(0, colon)), value: text.slice(colon + 1) };
}

/** The run and the side that `flips` names; null for anything else. */
export function flipsOfFilter(
  text: string,
): { readonly run: string; readonly side: 'only_a' | 'only_b' } | null {
  const found = /^(.+):(only_a|only_b)$/s.exec(text);
  return found && { run: found[1]!, side: found[2] as 'only_a' | 'only_b' };
}

/** What a confidence must be below: the edge itself belongs to the next bin, but 1 to the last. */
export function upperEdge(to: number): number {
  return to === 1 ? 1 + Number.EPSILON : to - EDGE_TOLERANCE;
}

/**
 * Whether a row fits a filter. The app uses this in an export, where there is no server; the server's SQL says the same, and a test holds the two together.
 *
 * @param flipIds the records that `filter.flips` means: whoever filters by it looks them up first.
 */
export function matches(line: RecordLine, filter: RecordFilter, flipIds?: ReadonlySet<string>): boolean {
  return (
    isAmong(filter.outcome, line.outcome) &&
    isAmong(filter.label?.map(labelTextKey), labelTextKey(line.label)) &&
    isAmong(filter.prediction?.map(labelTextKey), labelTextKey(line.prediction)) &&
    isAmong(filter.stage, line.stage ?? 'none') &&
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

export const SORT_KEYS = ['id', 'confidence', 'label', 'prediction', 'outcome'] as const;
type SortKey = (typeof SORT_KEYS)[number];

/** `-confidence` taken apart; null for what is no order. */
export function sortOf(sort: string): { readonly key: SortKey; readonly descending: boolean } | null {
  const descending = sort.startsWith('-');
  const key = SORT_KEYS.find((name) => name === (descending ? sort.slice(1) : sort));
  return key === undefined ? null : { key, descending };
}

/** Numbers in names by their size: r2 before r10. */
const collator = new Intl.Collator('en', { numeric: true });

export function compareTexts(a: string, b: string): number {
  return collator.compare(a, b);
}

/** A page of rows, as the server would give it. Rows without a value come last either way, and equals stay in the order of the file. */
export function filterRecords(
  lines: readonly RecordLine[],
  filter: RecordFilter,
  flipIds?: ReadonlySet<string>,
): { readonly total: number; readonly rows: readonly RecordLine[] } {
  const found = lines.filter((line) => matches(line, filter, flipIds));
  const sort = filter.sort ? sortOf(filter.sort) : null;
  if (sort !== null) found.sort((a, b) => compareBy(a[sort.key], b[sort.key], sort.descending));
  const offset = filter.offset ?? 0;
  return { total: found.length, rows: found.slice(offset, offset + (filter.limit ?? DEFAULT_LIMIT)) };
}

function compareBy(a: string | number | null, b: string | number | null, descending: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const order = typeof a === 'number' ? a - (b as number) : compareTexts(a, b as string);
  return descending ? -order : order;
}
