import type { Options } from 'csv-parse/sync';
import { cutFields, type RawRow } from '../../../suites/cut-fields.ts';
import { type FileProblem, fileProblem } from '../../../suites/file-problem.ts';
import { type Aligned, align, type UciRepair } from './alignment.ts';
import { UCI_CLASSES, UCI_FEATURES, type UciClass, type UciValues } from './columns.ts';
import { type Header, readHeader, type Slot } from './header.ts';
import type { ReadRow, ScreenedCell } from './row.ts';

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

/** A file cut into fields, nothing else done to them. */
interface RawTable {
  readonly format: 'csv' | 'arff';
  readonly header: RawRow | null;
  readonly rows: readonly RawRow[];
  readonly problems: readonly FileProblem[];
}

/**
 * Cuts the text of a CSV or ARFF file into fields. Which of the two it is follows from the text, not from a file name.
 *
 * @example
 * ```ts
 * readRawTable('id,age\n1,48\n').rows // => [{ line: 2, fields: ['1', '48'] }]
 * readRawTable('@relation r\n@attribute age numeric\n@data\n48\n').header.fields // => ['age']
 * ```
 */
export function readRawTable(text: string): RawTable {
  if (isArff(text)) {
    const { attributes, attributesLine, data, dataLine, problems } = splitArff(text);
    const header = attributes.length === 0 ? null : { line: attributesLine, fields: attributes };
    // ARFF quotes with single quotes, and a line that begins with a percent sign is a comment.
    const read = cut(data, dataLine, { quote: "'", comment: '%', comment_no_infix: true });
    return { format: 'arff', header, rows: read.rows, problems: [...problems, ...read.problems] };
  }
  const { rows, problems } = cut(text, 1, {});
  return { format: 'csv', header: rows[0] ?? null, rows: rows.slice(1), problems };
}

function cut(text: string, firstLine: number, dialect: Options): Pick<RawTable, 'rows' | 'problems'> {
  const { rows, error } = cutFields(text, dialect);
  const expected = `every quotation mark to be closed (the reader says: ${error})`;
  return {
    rows: rows
      .map(({ line, fields }) => ({ line: firstLine - 1 + line, fields }))
      .filter(({ fields }) => fields.length > 1 || fields[0]!.trim() !== ''),
    problems: error === null ? [] : [fileProblem(expected)],
  };
}

/** What a file holds, counted over the rows that could be read. */
interface UciSummary {
  readonly format: 'csv' | 'arff';
  /** Data rows in the file, also those that could not be read. */
  readonly rows: number;
  readonly classCounts: Readonly<Record<UciClass, number>>;
  /** The columns that are there, in file order, in our spelling. */
  readonly columns: readonly string[];
  /** Feature cells; the class, the id and the extra columns do not count. */
  readonly cells: number;
  /** Feature cells without a value, as the file has them. */
  readonly missingCells: number;
  /** Feature cells that had a value and were set to missing as implausible. */
  readonly screenedCells: number;
  /** Cells with blanks or tabs around the value. */
  readonly trimmedCells: number;
  /** True when the file has no id column, so that rows are numbered from 0 in file order. */
  readonly idsAssigned: boolean;
}

export function summarise(file: {
  readonly format: 'csv' | 'arff';
  readonly slots: readonly Slot[];
  readonly rowCount: number;
  readonly read: readonly { readonly row: ReadRow; readonly fields: readonly string[] }[];
}): UciSummary {
  const { format, slots, rowCount, read } = file;
  const features = UCI_FEATURES.map(({ name }) => name).filter((name) => slots.includes(name));
  const count = (test: (row: ReadRow) => number) => read.reduce((sum, { row }) => sum + test(row), 0);
  const screenedCells = count((row) => row.screened.length);
  const without = count((row) => features.filter((name) => row.values[name] === null).length);
  return {
    format,
    rows: rowCount,
    classCounts: Object.fromEntries(
      UCI_CLASSES.map((label) => [label, count((row) => (row.class === label ? 1 : 0))]),
    ) as Record<UciClass, number>,
    columns: slots.filter((slot) => slot !== null),
    cells: read.length * features.length,
    missingCells: without - screenedCells,
    screenedCells,
    trimmedCells: read.reduce(
      (sum, { fields }) => sum + fields.filter((cell) => cell !== cell.trim()).length,
      0,
    ),
    idsAssigned: !slots.includes('id'),
  };
}

const DIRECTIVE = /^\s*@(relation|attribute|data)\b/i;
const ATTRIBUTE = /^\s*@attribute\s+(?:'([^']*)'|"([^"]*)"|(\S+))/i;
const COMMENT_OR_BLANK = /^\s*(%|$)/;

/**
 * Whether a text is ARFF: its first line that is neither a comment nor blank is a directive.
 *
 * @example
 * ```ts
 * isArff('% notes\n\n@RELATION kidneys\n') // => true
 * isArff('id,age\n') // => false
 * ```
 */
export function isArff(text: string): boolean {
  for (const line of text.split('\n')) {
    if (!COMMENT_OR_BLANK.test(line)) return DIRECTIVE.test(line);
  }
  return false;
}

/**
 * Takes an ARFF file apart: the attribute names, and the data section with the line it begins on. The declared types
 * are passed over: the columns of this source are known.
 *
 * @example
 * ```ts
 * splitArff("@relation r\n@attribute 'age' numeric\n@data\n48\n").attributes // => ['age']
 * splitArff("@relation r\n@attribute 'age' numeric\n@data\n48\n").dataLine // => 4
 * ```
 */
export function splitArff(text: string) {
  const lines = text.split('\n');
  const dataAt = lines.findIndex((line) => /^\s*@data\b/i.test(line));
  const attributes: string[] = [];
  const problems: FileProblem[] = [];
  let attributesLine = 1;
  lines.slice(0, dataAt === -1 ? lines.length : dataAt).forEach((line, i) => {
    if (!/^\s*@attribute\b/i.test(line)) return;
    const match = ATTRIBUTE.exec(line);
    if (match === null) {
      problems.push({ line: i + 1, column: null, value: line.trim(), expected: '@attribute NAME TYPE' });
      return;
    }
    if (attributes.length === 0) attributesLine = i + 1;
    attributes.push(match[1] ?? match[2] ?? match[3]!);
  });
  if (attributes.length === 0) problems.push(fileProblem('@attribute lines that name the columns'));
  if (dataAt === -1) {
    problems.push(fileProblem('an @data line before the rows'));
    return { attributes, attributesLine, data: '', dataLine: lines.length, problems };
  }
  return {
    attributes,
    attributesLine,
    data: lines.slice(dataAt + 1).join('\n'),
    dataLine: dataAt + 2,
    problems,
  };
}
