import { CsvError, parse } from 'csv-parse/sync';
import { KrisisError } from '../errors.ts';

/** What separates the fields of a line. */
const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** A row of a delimited file: its cells, trimmed. */
export interface DelimitedRow {
  /** Where it begins in the file, from 1. */
  readonly line: number;
  /** Its number in a spreadsheet, where that is another: a line break in a cell begins a line of the file, and no row. */
  readonly row?: number;
  readonly cells: readonly string[];
}

/**
 * Where a row is, after the name of its file: by its line, or as a spreadsheet numbers it where that differs.
 *
 * @example
 * ```ts
 * formatPlace({ line: 5 }) // => ':5'
 * formatPlace({ line: 74, row: 61 }) // => ' row 61 (line 74)'
 * ```
 */
export function formatPlace({ line, row }: Pick<DelimitedRow, 'line' | 'row'>): string {
  if (row === undefined) return `:${line}`;
  return row === line ? ` row ${row}` : ` row ${row} (line ${line})`;
}

/** A text that cannot be cut into rows: a quotation mark that is never closed. */
export class UnclosedQuote extends Error {
  /** Where its row begins, from 1. */
  readonly line: number;

  constructor(line: number) {
    super(`a quotation mark in the row that begins on line ${line} is never closed`);
    this.line = line;
  }
}

/** A row longer than this is taken for a quotation mark that is never closed: it would swallow the rest of the file. */
const MAX_ROW = 1 << 23;
const LONG_ROW = 1 << 16;

/**
 * Cuts delimited text (RFC 4180: fields may be in quotation marks, and then hold delimiters and line breaks) with `\n` at the end of its lines.
 */
function rowCutter(delimiter: Delimiter) {
  let unread: Buffer = Buffer.alloc(0);
  let nLines = 0;
  let nBreaks = 0;
  // A long unfinished row is tried again only when twice as much text is there: trying at every piece would take the square of its length.
  let enough = 0;
  const take = (isEnd: boolean) => {
    const cut = cutRows(unread, delimiter);
    // What comes next may belong to the last row, unless its line has ended.
    if (!isEnd && cut.openedOn === null && unread.at(-1) !== 0x0a) cut.rows.pop();
    const rows = cut.rows.map(({ cells, lines }) => {
      const breaks = lineBreaks(cells);
      const line = nLines + lines - breaks; // the parser counts to the last line of a row
      const row = line - nBreaks;
      nBreaks += breaks;
      return { line, ...(row !== line && { row }), cells: cells.map((cell) => cell.trim()) };
    });
    const last = cut.rows.at(-1);
    const openedOn = cut.openedOn === null ? null : nLines + cut.openedOn;
    unread = unread.subarray(last?.bytes ?? 0);
    nLines += last?.lines ?? 0;
    return { rows, openedOn };
  };
  return {
    /** The rows that end within this text and those before it. */
    write: (text: string): DelimitedRow[] => {
      unread = Buffer.concat([unread, Buffer.from(text)]);
      if (unread.length < enough) return [];
      const { rows } = take(false);
      enough = unread.length < LONG_ROW ? 0 : 2 * unread.length;
      if (unread.length > MAX_ROW) throw new UnclosedQuote(nLines + 1);
      return rows;
    },
    /** The rows that are left. `openedOn` is the first line of a row whose quotation mark is never closed. */
    end: () => take(true),
  };
}

/**
 * The rows of a text that comes in pieces.
 *
 * @throws UnclosedQuote after the rows before it.
 */
export function* delimitedRows(texts: Iterable<string>, delimiter: Delimiter): Generator<DelimitedRow> {
  const cutter = rowCutter(delimiter);
  for (const text of texts) yield* cutter.write(text);
  const { rows, openedOn } = cutter.end();
  yield* rows;
  if (openedOn !== null) throw new UnclosedQuote(openedOn);
}

interface CutRow {
  readonly cells: string[];
  /** Bytes and lines from the beginning of the text to the end of the row. */
  readonly bytes: number;
  readonly lines: number;
}

/** The rows of a text. `openedOn` is the first line of a row whose quotation mark is not closed. */
function cutRows(text: Buffer, delimiter: Delimiter): { rows: CutRow[]; openedOn: number | null } {
  const rows: CutRow[] = [];
  try {
    parse(text, {
      delimiter,
      record_delimiter: '\n',
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      on_record: (cells: string[], { bytes, lines }) => {
        rows.push({ cells, bytes, lines });
        return null;
      },
    });
    return { rows, openedOn: null };
  } catch (error) {
    if (!(error instanceof CsvError) || error.code !== 'CSV_QUOTE_NOT_CLOSED') throw error;
    const { lines, bytes } = rows.at(-1) ?? { lines: 0, bytes: 0 };
    let start = bytes;
    while (text[start] === 0x0a) start += 1;
    return { rows, openedOn: lines + start - bytes + 1 };
  }
}

function lineBreaks(cells: readonly string[]): number {
  let n = 0;
  for (const cell of cells) if (cell.includes('\n')) n += cell.split('\n').length - 1;
  return n;
}

/**
 * The delimiters that fit the beginning of a file. One: that is it. Several: each of them cuts the text into columns, so it has to be stated. `usual` is the delimiter of a file with a
 * single column, and wins over those that make fewer columns.
 *
 * @example
 * ```ts
 * fittingDelimiters('age;weight\n61;70,5\n', ',') // => [';']
 * fittingDelimiters('age\n61\n', ',') // => [',']
 * fittingDelimiters('a;b,c\n1;2,3\n', ',') // => [',', ';']
 * ```
 */
export function fittingDelimiters(head: string, usual: Delimiter): readonly Delimiter[] {
  const tried = DELIMITERS.map((delimiter) => ({ delimiter, ...shape(head, delimiter) })).filter(
    ({ width }) => width > 1,
  );
  if (tried.length === 0) return [usual];
  const best = Math.max(...tried.map(({ fit }) => fit));
  const fitting = tried.filter(({ fit }) => fit === best);
  const own = fitting.find(({ delimiter }) => delimiter === usual);
  if (own && fitting.every(({ delimiter, width }) => delimiter === usual || width < own.width))
    return [usual];
  return fitting.map(({ delimiter }) => delimiter);
}

/** What separates fields, in words. */
export const DELIMITER_NAMES = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'pipe' } as const;

/** How much text decides about the delimiter. */
export const HEAD_CHARACTERS = 1 << 16;

/**
 * The delimiter of a text that begins like this. `name` is what an error calls the file.
 *
 * @throws KrisisError `ERR_FILE_AMBIGUOUS` where two delimiters fit.
 */
export function detectDelimiter(text: string, name: string, usual: Delimiter = ','): Delimiter {
  const head = text.slice(0, HEAD_CHARACTERS);
  const end = head.lastIndexOf('\n') + 1;
  const fitting = fittingDelimiters(end > 0 ? head.slice(0, end) : head, usual);
  if (fitting.length === 1) return fitting[0]!;
  const names = fitting.map((each) => `${DELIMITER_NAMES[each]}s`).join(' or ');
  throw new KrisisError(`${name}: its fields could be separated by ${names}; state the delimiter`, {
    code: 'ERR_FILE_AMBIGUOUS',
    value: fitting,
  });
}

/** The delimiter that a file states for spreadsheets, as in `sep=;` on its first line. */
export function statedDelimiter(head: string): Delimiter | null {
  const [, mark] = SEPARATOR_LINE.exec(head) ?? [];
  return (mark as Delimiter | undefined) ?? null;
}

/** Whether a row is the line that states the delimiter. It is cut at that very mark. */
export function isSeparatorLine({ line, cells }: DelimitedRow): boolean {
  return line === 1 && /^"?sep=/i.test(cells[0] ?? '') && cells.slice(1).every((cell) => /^"?$/.test(cell));
}

const SEPARATOR_LINE = /^"?sep=([,;\t|])"?\n/i;

/** How many columns a delimiter makes of the first row, and the share of rows that have as many. */
function shape(head: string, delimiter: Delimiter): { width: number; fit: number } {
  let width = 0;
  let nRows = 0;
  let nFitting = 0;
  const cutter = rowCutter(delimiter);
  for (const { cells } of [...cutter.write(head), ...cutter.end().rows]) {
    if (cells.every((cell) => cell === '')) continue;
    if (nRows === 0) width = cells.length;
    nRows += 1;
    // A mark that cuts through a quotation is part of the text.
    if (cells.length === width && cells.every((cell) => cell.split('"').length % 2 === 1)) nFitting += 1;
  }
  return { width, fit: nFitting / Math.max(1, nRows) };
}

/**
 * Cuts delimited text (RFC 4180: fields may be in quotation marks, and then hold delimiters and line breaks) into fields while it is read; nothing is kept.
 *
 * @throws KrisisError with the code `ERR_FILE_AMBIGUOUS` where two delimiters fit, and `ERR_DATA_FILE`, while rows are read, for a quotation mark that is never closed.
 */
export async function readFields(texts: AsyncIterable<string>, name: string, stated?: Delimiter) {
  const iterator = texts[Symbol.asyncIterator]();
  let head = '';
  let isEnd = false;
  while (!isEnd && head.length < HEAD_CHARACTERS) {
    const next = await iterator.next();
    if (next.done) isEnd = true;
    else head += next.value;
  }
  const delimiter = stated ?? statedDelimiter(head) ?? detectDelimiter(head, name);
  async function* whole() {
    if (head !== '') yield head;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  }
  return { delimiter, rows: cut(whole(), delimiter, name) };
}

async function* cut(
  texts: AsyncIterable<string>,
  delimiter: Delimiter,
  name: string,
): AsyncGenerator<DelimitedRow> {
  const cutter = rowCutter(delimiter);
  const unclosed = (cause: { readonly message: string }) =>
    new KrisisError(`${name}: ${cause.message}`, { code: 'ERR_DATA_FILE', value: name, cause });
  try {
    for await (const text of texts) yield* filled(cutter.write(text));
  } catch (cause) {
    throw cause instanceof UnclosedQuote ? unclosed(cause) : cause;
  }
  const { rows, openedOn } = cutter.end();
  yield* filled(rows);
  if (openedOn !== null) throw unclosed(new UnclosedQuote(openedOn));
}

function filled(rows: readonly DelimitedRow[]): DelimitedRow[] {
  return rows.filter(({ cells }) => cells.some((cell) => cell !== ''));
}
