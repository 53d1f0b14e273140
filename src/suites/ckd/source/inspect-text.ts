import type { RawRow } from '../../cut-fields.ts';
import { type FileProblem, fileProblem } from '../../file-problem.ts';
import { type Aligned, align, type UciRepair } from './alignment.ts';
import { UCI_CLASSES, type UciClass, type UciValues } from './columns.ts';
import { type Header, readHeader } from './header.ts';
import { readRawTable } from './raw-table.ts';
import type { ScreenedCell } from './screening.ts';
import { summarise, type UciSummary } from './summary.ts';

/** One patient of the source. */
export interface UciRow {
  readonly id: string;
  /** Line in the file, from 1. */
  readonly line: number;
  /** Null is not measured, or screened. */
  readonly values: UciValues;
  readonly class: UciClass;
}

/** Everything that is known about a file, right or wrong. */
export interface UciInspection {
  /** The rows without problems; not to be used when there are problems. */
  readonly rows: readonly UciRow[];
  readonly problems: readonly FileProblem[];
  readonly repairs: readonly UciRepair[];
  readonly screened: readonly ScreenedCell[];
  readonly summary: UciSummary;
}

type Entry = Extract<Aligned, { row: unknown }> & { readonly line: number; readonly id: string | null };

/**
 * Reads the text of a UCI kidney file, CSV or ARFF, and collects everything that is wrong, repaired or screened.
 *
 * @example
 * ```ts
 * inspectUciText('').problems[0].expected // => 'a header line and rows of data; the file is empty'
 * inspectUciText('id,age,class\n1,48,ckd\n').summary.rows // => 1
 * ```
 */
export function inspectUciText(text: string): UciInspection {
  const table = readRawTable(text.replace(/^\uFEFF/, ''));
  const problems: FileProblem[] = [...table.problems];
  const header = table.header && readHeader(table.header.fields, table.header.line);
  const entries: Entry[] = [];
  if (header === null) {
    if (problems.length === 0)
      problems.push(fileProblem('a header line and rows of data; the file is empty'));
  } else {
    problems.push(...header.problems);
    if (table.rows.length === 0) problems.push(fileProblem('at least one row of data below the header'));
    // Without a single known column the rows would only repeat what the header has said.
    if (header.slots.some((slot) => slot !== null)) readRows(table.rows, header, entries, problems);
  }
  return {
    rows: entries.flatMap(({ id, line, row }) =>
      id === null || row.class === null || row.problems.length > 0
        ? []
        : [{ id, line, values: row.values as UciValues, class: row.class }],
    ),
    problems,
    repairs: entries.flatMap(({ id, repair }) => (repair === null ? [] : [{ ...repair, id }])),
    screened: entries.flatMap(({ id, row }) => row.screened.map((cell) => ({ ...cell, id }))),
    summary: summarise({
      format: table.format,
      slots: header?.slots ?? [],
      rowCount: table.rows.length,
      read: entries,
    }),
  };
}

function readRows(rows: readonly RawRow[], header: Header, entries: Entry[], problems: FileProblem[]): void {
  const { slots, nameless } = header;
  const hasIds = slots.includes('id');
  const lineOfId = new Map<string, number>();
  rows.forEach(({ line, fields }, index) => {
    const aligned = align(withoutNameless(fields, slots.length, nameless), slots, line);
    if ('problem' in aligned) {
      problems.push(aligned.problem);
      return;
    }
    // The published CSV numbers its rows from 0: a file without ids gets the same ones.
    const id = hasIds ? aligned.row.id : String(index);
    problems.push(...aligned.row.problems);
    if (id !== null) {
      const first = lineOfId.get(id);
      if (first === undefined) lineOfId.set(id, line);
      else {
        const expected = `an id of its own; line ${first} has this one`;
        problems.push({ line, column: 'id', value: id, expected });
      }
    }
    entries.push({ ...aligned, line, id });
  });
  const single = singleClass(
    entries,
    slots.includes('class') && problems.every(({ column }) => column !== 'class'),
  );
  if (single !== null) problems.push(single);
}

function withoutNameless(fields: readonly string[], width: number, nameless: number): readonly string[] {
  let end = fields.length;
  while (end > width && fields.length - end < nameless && fields[end - 1]!.trim() === '') end -= 1;
  return fields.slice(0, end);
}

/** A file with a single class has nothing to detect. A wrong class cell is reported first. */
function singleClass(entries: readonly Entry[], applies: boolean): FileProblem | null {
  const found = new Set(entries.map(({ row }) => row.class));
  if (!applies || entries.length === 0 || found.size > 1) return null;
  const expected = `both classes: ${UCI_CLASSES.join(' and ')}`;
  return { line: null, column: 'class', value: [...found][0]!, expected };
}
