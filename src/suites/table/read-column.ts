import type { FileProblem } from '../file-problem.ts';
import { isPlainNumber, readNumber } from './cell.ts';
import type { ColumnDisplay } from './definition.ts';
import type { Column } from './roles.ts';
import type { TableRow } from './table.ts';

/** The cells of a column as values; null is not measured. */
export interface ColumnValues {
  readonly values: readonly (string | number | null)[];
  readonly problems: readonly FileProblem[];
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
  { name, index }: Column,
  isMissing: (cell: string) => boolean,
  type?: ColumnDisplay['type'],
): ColumnValues {
  const measured = rows
    .map(({ line, cells }) => ({ line, cell: cells[index]! }))
    .filter(({ cell }) => !isMissing(cell));
  const others = measured.filter(({ cell }) => !isPlainNumber(cell));
  const numeric = type === 'number' || (type === undefined && others.length === 0);
  const notNumbers = numeric ? measured.filter(({ cell }) => readNumber(cell) === null) : [];
  const expected = 'a number with a point for decimals, or a marker of "not measured"';
  return {
    values: rows.map(({ cells }) => {
      const cell = cells[index]!;
      if (isMissing(cell)) return null;
      return numeric ? readNumber(cell) : cell;
    }),
    problems: notNumbers.map(({ line, cell }) => ({ line, column: name, value: cell, expected })),
    strays: type === undefined && others.length * 2 <= measured.length ? others.map(({ line }) => line) : [],
  };
}
