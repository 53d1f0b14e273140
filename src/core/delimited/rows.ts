import { CsvError, parse } from 'csv-parse/sync';

/** What separates the fields of a line. */
export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** A row of a delimited file: its cells, trimmed. */
export interface DelimitedRow {
  /** Where it begins in the file, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
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

/** Cuts text into rows while it arrives: a piece may end anywhere. Blank lines are skipped. */
export interface RowCutter {
  /** The rows that end within this text and those before it. */
  write(text: string): DelimitedRow[];
  /** The rows that are left. `openedOn` is the first line of a row whose quotation mark is never closed. */
  end(): { readonly rows: DelimitedRow[]; readonly openedOn: number | null };
}

/**
 * Cuts delimited text (RFC 4180: fields may be in quotation marks, and then hold delimiters and line breaks) with `\n` at the end of its lines.
 *
 * @example
 * ```ts
 * const cutter = rowCutter(';');
 * cutter.write('age;note\n61;"a') // => [{ line: 1, cells: ['age', 'note'] }]
 * cutter.write(';b"\n') // => [{ line: 2, cells: ['61', 'a;b'] }]
 * cutter.end() // => { rows: [], openedOn: null }
 * ```
 */
export function rowCutter(delimiter: Delimiter): RowCutter {
  let unread: Buffer = Buffer.alloc(0);
  let nLines = 0;
  // A long unfinished row is tried again only when twice as much text is there: trying at every piece would take the square of its length.
  let enough = 0;
  const take = (isEnd: boolean) => {
    const cut = cutRows(unread, delimiter);
    // What comes next may belong to the last row, unless its line has ended.
    if (!isEnd && cut.openedOn === null && unread.at(-1) !== 0x0a) cut.rows.pop();
    const rows = cut.rows.map(({ cells, lines }) => ({
      line: nLines + lines - lineBreaks(cells), // the parser counts to the last line of a row
      cells: cells.map((cell) => cell.trim()),
    }));
    const last = cut.rows.at(-1);
    const openedOn = cut.openedOn === null ? null : nLines + cut.openedOn;
    unread = unread.subarray(last?.bytes ?? 0);
    nLines += last?.lines ?? 0;
    return { rows, openedOn };
  };
  return {
    write: (text) => {
      unread = Buffer.concat([unread, Buffer.from(text)]);
      if (unread.length < enough) return [];
      const { rows } = take(false);
      enough = unread.length < LONG_ROW ? 0 : 2 * unread.length;
      if (unread.length > MAX_ROW) throw new UnclosedQuote(nLines + 1);
      return rows;
    },
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
