import pc from 'picocolors';
import {
  GAP,
  hang,
  layOut,
  numberParts,
  type TablePart,
  type TextColumn,
  unbroken,
} from './column-widths.ts';
import { displayWidth, wrap } from './wrap.ts';

const BELOW_INDENT = 6;

/** A table without lines: columns two blanks apart, a bold title over the first, no blanks at line ends. A table that is wider than `width` is laid out in a narrower way. */
export function borderlessTable(columns: readonly TextColumn[], width: number): string[] {
  return layOut(columns, width).flatMap((part, i) => [...(i === 0 ? [] : ['']), ...partLines(part, width)]);
}

function partLines({ columns, widths, below }: TablePart, width: number): string[] {
  const cells = columns.map((column, c) => columnLines(column, widths[c]!));
  const rows = columns[0]!.cells.map((_, r) => [
    ...rowLines(
      cells.map((lines) => lines[r]!),
      columns,
      widths,
    ),
    ...(below === null || below.cells[r] === '' ? [] : belowLines(below.cells[r]!, width)),
  ]);
  return [...headLines(columns, widths), ...rows.flat()];
}

/** Titles end on the same line, the one above the numbers. */
function headLines(columns: readonly TextColumn[], widths: readonly number[]): string[] {
  const titles = columns.map(({ title }, c) => wrap(title, widths[c]!, { folds: true }));
  const height = Math.max(...titles.map(({ length }) => length));
  const aligned = titles.map((lines, c) => [
    ...Array<string>(height - lines.length).fill(''),
    ...lines.map((line) => (c === 0 ? pc.bold(line) : pc.dim(line))),
  ]);
  return rowLines(aligned, columns, widths);
}

/** The cells of one row, line by line. */
function rowLines(
  cells: readonly (readonly string[])[],
  columns: readonly TextColumn[],
  widths: readonly number[],
): string[] {
  const height = Math.max(...cells.map(({ length }) => length));
  return Array.from({ length: height }, (_, i) =>
    cells
      .map((lines, c) => {
        const text = lines[i] ?? '';
        const blanks = ' '.repeat(Math.max(0, widths[c]! - displayWidth(text)));
        return columns[c]!.isNumber ? `${blanks}${text}` : `${text}${blanks}`;
      })
      .join(' '.repeat(GAP))
      .trimEnd(),
  );
}

/** The cells of a column. If one interval has to go below its value, all of them do. */
function columnLines({ isNumber, cells }: TextColumn, width: number): string[][] {
  if (!isNumber) return cells.map((cell) => wrap(cell, width, { hang: hang(cell).length, folds: true }));
  if (cells.every((cell) => displayWidth(cell) <= width)) return cells.map((cell) => [cell]);
  return cells.map((cell) => {
    const [value, ...brackets] = numberParts(cell);
    const below = brackets.flatMap((part) => wrap(unbroken(part).join(' '), width, { folds: true }));
    return [...wrap(value!, width, { folds: true }), ...below.map(pc.dim)];
  });
}

function belowLines(text: string, width: number): string[] {
  return wrap(`${' '.repeat(BELOW_INDENT)}${text}`, width, { hang: BELOW_INDENT });
}
