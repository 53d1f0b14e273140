import { displayWidth } from './wrap.ts';

/** A column of a table for a terminal. */
export interface TextColumn {
  readonly title: string;
  /** Numbers are aligned at the right and never broken; an interval may go below its value. */
  readonly isNumber: boolean;
  /** Left out where the table is too wide. */
  readonly isSpare?: boolean;
  /** Paths and names to copy: never broken. */
  readonly isWhole?: boolean;
  readonly cells: readonly string[];
}

/** The columns of a table with their widths; a table that is too wide becomes several, each with the first column. */
export interface TablePart {
  readonly columns: readonly TextColumn[];
  readonly widths: readonly number[];
  /** A column of long text that is written below each row. Null where it has its place. */
  readonly below: TextColumn | null;
}

export const GAP = 2;
/** The least width at which a column of text is pleasant to read, and at which it still can be read. */
const PLEASANT = 24;
const READABLE = 16;

/**
 * Finds room for a table: as it is; with wrapped titles and texts; without its spare columns; with intervals below their values; with the last text below each row; at last in several parts.
 */
export function layOut(columns: readonly TextColumn[], width: number): TablePart[] {
  const measured = columns.map((column, i) => measure(column, i === 0));
  const whole = measured.map((column) => column.whole);
  if (total(whole) <= width) return [{ columns, widths: whole, below: null }];
  const pleasant = spread(
    measured.map((column) => ({ ...column, least: column.pleasant })),
    width,
  );
  if (pleasant !== null) return [{ columns, widths: pleasant, below: null }];
  const last = columns.at(-1)!;
  if (last.isWhole && columns.length > 2) return withLastBelow(columns, width);
  const needed = columns.filter(({ isSpare }) => !isSpare);
  if (needed.length < columns.length) return layOut(needed, width);
  const tight = spread(measured, width);
  if (tight !== null) return [{ columns, widths: tight, below: null }];
  if (!last.isNumber && columns.length > 2 && measured.at(-1)!.whole > PLEASANT)
    return withLastBelow(columns, width);
  return inParts(columns, measured, width);
}

function withLastBelow(columns: readonly TextColumn[], width: number): TablePart[] {
  const [first, ...more] = layOut(columns.slice(0, -1), width);
  return [{ ...first!, below: columns.at(-1)! }, ...more];
}

type Measured = ReturnType<typeof measure>;

function measure({ title, isNumber, isWhole, cells }: TextColumn, isFirst: boolean) {
  const head = widest(title.split(' '));
  const body = widest(cells);
  const whole = Math.max(displayWidth(title), body);
  if (isWhole) return { isNumber, whole, pleasant: whole, least: whole };
  if (isNumber) {
    const least = Math.max(head, widest(cells.flatMap(numberParts).flatMap(unbroken)));
    return { isNumber, whole, pleasant: Math.max(head, body), least };
  }
  const words =
    widest(cells.flatMap((cell) => cell.trimStart().split(/ |(?<=\/)/))) + widest(cells.map(hang));
  const least = Math.min(whole, Math.max(isFirst ? head : READABLE, Math.min(words, PLEASANT)));
  return { isNumber, whole, pleasant: Math.max(least, Math.min(whole, PLEASANT)), least };
}

/** The blanks before what continues a cell: two more than before the cell, where that is indented. */
export function hang(cell: string): string {
  const [indent] = /^ */.exec(cell)!;
  return indent === '' ? '' : `${indent}  `;
}

/** A number and what follows it: `0.81`, `(0.78 to 0.84)`, `3 invalid`. */
export function numberParts(cell: string): string[] {
  return cell.split(/ (?=[([])|(?<=[)\]]), /);
}

/** A number with its interval is not broken; a reason in words may be. */
export function unbroken(part: string): string[] {
  const text = part.replace(/^\((.*)\)$/, '$1');
  return /\d/.test(text) ? [text] : text.split(' ');
}

/** Gives every column its least width, and the rest to the columns of text; null where there is too little. */
function spread(measured: readonly Measured[], width: number): number[] | null {
  const widths = measured.map(({ least }) => least);
  let left = width - total(widths);
  if (left < 0) return null;
  for (; left > 0; left--) {
    const open = measured.flatMap(({ isNumber, whole }, i) => (isNumber || widths[i]! >= whole ? [] : [i]));
    if (open.length === 0) break;
    const narrowest = open.reduce((a, b) => (widths[b]! < widths[a]! ? b : a));
    widths[narrowest]! += 1;
  }
  return widths;
}

function inParts(columns: readonly TextColumn[], measured: readonly Measured[], width: number): TablePart[] {
  const first = Math.min(measured[0]!.least, Math.floor(width / 2));
  const fewest = grouped(measured, width - first, columns.length);
  // Parts of about the same length read better than full ones and a rest.
  const even = grouped(measured, width - first, Math.ceil((columns.length - 1) / fewest.length));
  return (even.length === fewest.length ? even : fewest).map((own) => {
    const shown = [0, ...own];
    const least = shown.map((i) => ({ ...measured[i]!, least: i === 0 ? first : measured[i]!.least }));
    return {
      columns: shown.map((i) => columns[i]!),
      widths: spread(least, width) ?? [first, Math.max(1, width - first - GAP)],
      below: null,
    };
  });
}

/** The columns after the first, in groups of at most `most` that fit into `room`. */
function grouped(measured: readonly Measured[], room: number, most: number): number[][] {
  const groups: number[][] = [];
  let left = 0;
  for (const [i, { least }] of measured.entries()) {
    if (i === 0) continue;
    const group = groups.at(-1);
    if (group === undefined || left < GAP + least || group.length >= most) {
      groups.push([i]);
      left = room - GAP - least;
    } else {
      group.push(i);
      left -= GAP + least;
    }
  }
  return groups;
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, (widths.length - 1) * GAP);
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, displayWidth(text)), 0);
}
