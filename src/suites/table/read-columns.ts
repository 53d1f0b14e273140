import { contentHash, type Label, labelKey, type PatientRecord, quoted } from '../../core/index.ts';
import { type FileProblem, fileProblem } from '../file-problem.ts';
import { isPlainNumber, readNumber, readYesNo } from './cell.ts';
import type { ColumnDisplay } from './definition.ts';
import type { Column, Roles } from './roles.ts';
import type { TableRow } from './table.ts';

type IsMissing = (cell: string) => boolean;

/** A column as it was read: one value per row, null where there is none. */
interface Read<T> {
  readonly values: readonly (T | null)[];
  readonly problems: readonly FileProblem[];
}

/** Reads a column cell by cell. `read` gives null for a cell without a value, undefined for one that is not as expected. */
function readCells<T>(
  rows: readonly TableRow[],
  { name, index }: Column,
  expected: string,
  read: (cell: string) => T | null | undefined,
): Read<T> {
  const problems: FileProblem[] = [];
  const values = rows.map(({ line, cells }) => {
    const value = read(cells[index]!);
    if (value === undefined) problems.push({ line, column: name, value: cells[index]!, expected });
    return value ?? null;
  });
  return { values, problems };
}

/** The cells of a column as values; null is not measured. */
export interface ColumnValues extends Read<string | number> {
  /** Lines that made text of a column in which most cells are numbers. */
  readonly strays: readonly number[];
}

/**
 * The values of a column: numbers when it is declared so or every measured cell is one, else trimmed text.
 *
 * @example
 * ```ts
 * const rows = ['140', '', '133.5'].map((cell, i) => ({ line: i + 2, cells: [cell] }));
 * readColumn(rows, { name: 'sodium', index: 0 }, (cell) => cell === '').values // => [140, null, 133.5]
 * ```
 */
export function readColumn(
  rows: readonly TableRow[],
  column: Column,
  isMissing: IsMissing,
  type?: ColumnDisplay['type'],
): ColumnValues {
  const measured = rows.filter(({ cells }) => !isMissing(cells[column.index]!));
  const others = measured.filter(({ cells }) => !isPlainNumber(cells[column.index]!));
  const numeric = type === 'number' || (type === undefined && others.length === 0);
  const expected = 'a number with a point for decimals, or a marker of "not measured"';
  const mixed = type === undefined && others.length * 2 <= measured.length;
  return {
    ...readCells<string | number>(rows, column, expected, (cell) => {
      if (isMissing(cell)) return null;
      return numeric ? (readNumber(cell) ?? undefined) : cell;
    }),
    strays: mixed ? others.map(({ line }) => line) : [],
  };
}

const INTEGER = /^-?(0|[1-9]\d*)$/;
const MOST_LABELS = 50;

/** The labels of the rows, spelled as in the label space. */
export interface LabelColumn extends Read<Label> {
  /** The label space. */
  readonly labels: readonly Label[];
}

/**
 * The labels of the rows and the label space: as given, or as found in order of first appearance, then whole numbers when all are written so. Spellings that
 * differ in letter case are one label, and `2.0`, as data frames write it, is 2. A label that looks like a marker of "not measured" is a label when it is given.
 *
 * @example
 * ```ts
 * const rows = ['Yes', 'no', 'yes', ''].map((cell, i) => ({ line: i + 2, cells: [cell] }));
 * readLabels(rows, { name: 'ill', index: 0 }, (cell) => cell === '').values // => ['Yes', 'no', 'Yes', null]
 * ```
 */
export function readLabels(
  rows: readonly TableRow[],
  column: Column,
  isMissing: IsMissing,
  given?: readonly Label[],
): LabelColumn {
  const plain = (cell: string) => cell.replace(/^(-?\d+)\.0+$/, '$1');
  const labels =
    given ??
    foundLabels(
      rows.map(({ cells }) => plain(cells[column.index]!)),
      isMissing,
    );
  const unusable = given === undefined ? wrongLabelSpace(labels) : null;
  if (unusable !== null) {
    const [found, expected] = unusable;
    return { labels, values: [], problems: [fileProblem(expected, { column: column.name, found })] };
  }
  const byKey = new Map(labels.map((label) => [labelKey(label), label]));
  const read = readCells(rows, column, `one of ${labelList(labels)}`, (cell) => {
    const label = byKey.get(labelKey(plain(cell)));
    return label === undefined && isMissing(plain(cell)) ? null : label;
  });
  return { labels, ...read };
}

/** Why labels found in a column make no label space: what was found, and what was expected. */
function wrongLabelSpace(labels: readonly Label[]): [found: string, expected: string] | null {
  if (labels.length === 0) return ['no label', 'at least two labels'];
  if (labels.length === 1) return [`only the label ${labelList(labels)}`, 'at least two labels'];
  const expected = 'a column of a few labels; if all these are meant, list them in labels';
  return labels.length > MOST_LABELS ? [`${labels.length} different values`, expected] : null;
}

/** Labels as they may be printed. */
export function labelList(labels: readonly Label[]): string {
  return labels.map((label) => (typeof label === 'string' ? quoted(label) : label)).join(', ');
}

function foundLabels(cells: readonly string[], isMissing: IsMissing): Label[] {
  const given = cells.filter((cell) => !isMissing(cell));
  const spellings = [...Map.groupBy(given, labelKey).values()].map(([first]) => first!);
  const whole = spellings.every((text) => INTEGER.test(text) && Number.isSafeInteger(Number(text)));
  return whole ? spellings.map(Number) : spellings;
}

/** Whether deferring is right in each row, and why, as metadata; null is unlabelled. Without such columns nothing is said of it. */
export function readDeferral(
  rows: readonly TableRow[],
  { shouldAbstain, reasons }: Pick<Roles, 'shouldAbstain' | 'reasons'>,
  isMissing: IsMissing,
) {
  if (shouldAbstain === null) return { metadata: rows.map(() => ({})), problems: [] };
  const expected = 'true, false, yes, no, 1, 0, or nothing for unlabelled';
  const { values, problems } = readCells(
    rows,
    shouldAbstain,
    expected,
    (cell) => readYesNo(cell) ?? (isMissing(cell) ? null : undefined),
  );
  const metadata = rows.map(({ cells }, i) => ({
    should_abstain: values[i]!,
    ...(reasons && { should_abstain_reasons: reasonList(cells[reasons.index]!, isMissing) }),
  }));
  return { metadata, problems };
}

function reasonList(cell: string, isMissing: IsMissing): string[] {
  if (isMissing(cell)) return [];
  return cell
    .split(';')
    .map((reason) => reason.trim())
    .filter((reason) => reason !== '');
}

/** The ids in a column: there must be one in every row, and no two the same. */
export function idsInColumn(rows: readonly TableRow[], { name, index }: Column) {
  const ids = rows.map(({ cells }) => cells[index]!);
  const firstLine = new Map(rows.map(({ line, cells }) => [cells[index]!, line] as const).toReversed());
  const problems = rows.flatMap(({ line }, i): FileProblem[] => {
    const id = ids[i]!;
    if (id === '') return [{ line, column: name, value: null, expected: 'an id in every row' }];
    const before = firstLine.get(id)!;
    const expected = `a different id in every row; line ${before} has this one`;
    return before === line ? [] : [{ line, column: name, value: id, expected }];
  });
  return { ids, problems };
}

/**
 * Ids from what is shown: rows can be put in another order, or others added, and a case keeps its id. Of rows that show the same, each has its own by counting.
 *
 * @example
 * ```ts
 * const [a, b, again] = idsFromContent([{ age: 61 }, { age: 50 }, { age: 61 }]);
 * [a.length, a === again] // => [16, false]
 * idsFromContent([{ age: 50 }, { age: 61 }])[1] === a // => true
 * ```
 */
export function idsFromContent(features: readonly PatientRecord['features'][]): string[] {
  const occurrences = new Map<string, number>();
  return features.map((shown) => {
    const content = contentHash(shown);
    const occurrence = (occurrences.get(content) ?? 0) + 1;
    occurrences.set(content, occurrence);
    return contentHash({ features: content, occurrence }).slice(0, 16);
  });
}
