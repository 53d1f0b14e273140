import { KrisisError, whyUnreadable } from '../core/errors.ts';
import { quoted } from '../core/plain-text.ts';

/** One thing that is wrong with a data file, and where. */
export interface FileProblem {
  /** Line in the file, from 1; null when it concerns the file as a whole. */
  readonly line: number | null;
  /** The number of the row in a spreadsheet, where it is not that of the line. */
  readonly row?: number;
  /** The column's name; null when it concerns no single column. */
  readonly column: string | null;
  /** The cell's content; null when it is empty. */
  readonly value: string | null;
  /** What the cell may hold. */
  readonly expected: string;
  /** What is wrong, where it is not the content of a single cell. */
  readonly found?: string;
}

const MAX_PROBLEMS = 20;

/** A problem at a place of the file; without one it concerns the file as a whole. */
export function fileProblem(expected: string, at: Partial<Omit<FileProblem, 'expected'>> = {}): FileProblem {
  return { line: null, column: null, value: null, expected, ...at };
}

/**
 * A problem in one line; content of the file is quoted, shortened and made harmless for a terminal.
 *
 * @example
 * ```ts
 * problemText({ line: 7, column: 'sodium', value: 'high', expected: 'a number' })
 * // => 'line 7, column "sodium": "high"; expected a number'
 * problemText({ line: null, column: null, value: null, expected: 'at least one row of data' })
 * // => 'the file: nothing there; expected at least one row of data'
 * ```
 */
export function problemText(
  { line, row, column, value, expected, found }: FileProblem,
  formatColumn: (column: string) => string = quoted,
): string {
  const where = [
    ...(line === null ? [] : [placeText(line, row)]),
    ...(column === null ? [] : [`column ${formatColumn(column)}`]),
  ];
  const what = found ?? (value === null ? 'nothing there' : quoted(value));
  return `${where.join(', ') || 'the file'}: ${what}; expected ${expected}`;
}

/** Where a row of a table is. */
export function placeIn({ line, row }: { readonly line: number; readonly row?: number }) {
  return { line, ...(row !== undefined && { row }) };
}

/** A row as a spreadsheet numbers it, where that is not its line. */
export function placeText(line: number, row: number | undefined): string {
  if (row === undefined) return `line ${line}`;
  return row === line ? `row ${row}` : `row ${row} (line ${line})`;
}

/** One error for all problems of a file: up to 20 of them in its message, those that are kept in `value`. `n` is how many there are. Default: all are kept. */
export function problemsError(
  file: string,
  problems: readonly FileProblem[],
  {
    formatColumn = quoted,
    n = problems.length,
  }: { readonly formatColumn?: (column: string) => string; readonly n?: number } = {},
): KrisisError {
  const more = n - MAX_PROBLEMS;
  const lines = [
    `${quoted(file)} has ${n === 1 ? 'a problem' : `${n} problems`}:`,
    ...problems.slice(0, MAX_PROBLEMS).map((problem) => `  ${problemText(problem, formatColumn)}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
  return new KrisisError(lines.join('\n'), { code: 'ERR_DATA_FILE', value: problems });
}

/** The error for a file that cannot be read; `expected` says what to give instead. */
export function unreadable(path: string, shown: string, cause: unknown, expected: string): KrisisError {
  const why = whyUnreadable(cause).replace(/^no such file/, 'there is no such file');
  return new KrisisError(`cannot read ${quoted(shown)}: ${why}; ${expected}`, {
    code: 'ERR_FILE_UNREADABLE',
    value: path,
    cause,
  });
}

/** The text of a file's bytes; refuses what is not UTF-8. */
export function utf8Text(bytes: Uint8Array, path: string, shown: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new KrisisError(`cannot read ${quoted(shown)}: it is not UTF-8 text; save it again as UTF-8`, {
      code: 'ERR_FILE_UNREADABLE',
      value: path,
      cause,
    });
  }
}
