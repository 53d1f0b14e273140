import { isObject } from '../../core/collections.ts';
import { KrisisError } from '../../core/errors.ts';
import { quoted, shown } from '../../core/plain-text.ts';
import { type FileProblem, fileProblem } from '../file-problem.ts';
import type { Table } from './table.ts';

type Values = Readonly<Record<string, unknown>>;

/** A value as the text of a cell: an object or a list as JSON. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString().replace(/T00:00:00\.000Z$/, '');
  if (typeof value !== 'object') return String(value).trim();
  return JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? Number(inner) : inner));
}

/** What is wrong with the values of a row. Objects and lists are for columns that hold options or texts. */
export function valueProblems(
  values: Values,
  place: Pick<FileProblem, 'line' | 'row'>,
  { nested = false }: { readonly nested?: boolean } = {},
): FileProblem[] {
  return Object.entries(values).flatMap(([column, value]) => {
    if (!nested && typeof value === 'object' && value !== null && !(value instanceof Date))
      return [fileProblem('text, a number, true, false or null', { ...place, column, value: shown(value) })];
    if (Number.isInteger(value) && !Number.isSafeInteger(value))
      return [
        fileProblem('such a long number in quotes, or it is rounded', {
          ...place,
          column,
          value: String(value),
        }),
      ];
    return [];
  });
}

/**
 * Rows of values, such as JSON and Parquet hold, as a table.
 *
 * @example
 * ```ts
 * const table = valueTable([{ age: 61 }, { age: null, site: ['a'] }], { nested: true });
 * table.header; // => ['age', 'site']
 * [...table.rows()].map(({ cells }) => cells) // => [['61', ''], ['', '["a"]']]
 * ```
 */
export function valueTable(rows: readonly Values[], options: { readonly nested?: boolean } = {}): Table {
  const header = new Set<string>();
  for (const row of rows) for (const key of Object.keys(row)) header.add(key);
  return {
    header: [...header],
    *rows(onProblem) {
      for (const [i, values] of rows.entries()) {
        const place = { line: i + 1, row: i + 1 };
        const problems = valueProblems(values, place, options);
        for (const problem of problems) onProblem?.(problem);
        if (problems.length === 0) yield { ...place, cells: [...header].map((key) => cellText(values[key])) };
      }
    },
  };
}

/** The rows in a JSON text: a list of objects, an object of objects (the key of each is in the column `key`), or an object with one list of objects. */
export function rowsInJson(text: string, file: string): readonly Values[] {
  const refuse = (problem: string, cause?: unknown) =>
    new KrisisError(
      `cannot read ${quoted(file)}: ${problem}; expected a list of objects, or an object of objects`,
      { code: 'ERR_FILE_UNREADABLE', value: file, cause },
    );
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw refuse(`it is not JSON (${(cause as Error).message})`, cause);
  }
  const lists = isObject(value) ? Object.values(value).filter(Array.isArray) : [];
  const list = Array.isArray(value) ? value : lists.length === 1 ? lists[0]! : null;
  if (list !== null) {
    const other = list.findIndex((row) => !isObject(row));
    if (other >= 0) throw refuse(`item ${other + 1} of its list is no object`);
    return list as Values[];
  }
  if (!isObject(value)) throw refuse('it is a single value');
  return Object.entries(value).map(([key, row]) => {
    if (!isObject(row)) throw refuse(`${quoted(key)} is no object`);
    return { key, ...row };
  });
}
