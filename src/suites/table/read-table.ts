import { createHash, type Hash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { isObject } from '../../core/collections.ts';
import { type FileEncoding, fileChunks, fileDecoder } from '../../core/delimited/decode-text.ts';
import {
  DELIMITER_NAMES,
  type DelimitedRow,
  type Delimiter,
  delimitedRows,
  detectDelimiter,
  HEAD_CHARACTERS,
  isSeparatorLine,
  statedDelimiter,
  UnclosedQuote,
} from '../../core/delimited/rows.ts';
import { isSpreadsheet, readSpreadsheet } from '../../core/delimited/spreadsheet.ts';
import { KrisisError } from '../../core/errors.ts';
import { quoted } from '../../core/plain-text.ts';
import { checkRegularFile } from '../../core/regular-file.ts';
import { counted } from '../../core/wording.ts';
import { type FileProblem, fileProblem, placeIn, unreadable } from '../file-problem.ts';
import { gunzipped, isGzip } from './packed.ts';
import { cellText, rowsInJson, valueProblems, valueTable } from './read-values.ts';
import { MAX_COLUMNS, type Table } from './table.ts';

/** What fields are usually separated by in files of this extension; null where they are not separated. */
const EXTENSIONS: Readonly<Record<string, Delimiter | null>> = {
  '.csv': ',',
  '.tsv': '\t',
  '.tab': '\t',
  '.txt': '\t',
  '.jsonl': null,
  '.ndjson': null,
  '.json': null,
};
const EXPECTED =
  'give the path of a .csv, .tsv, .xlsx, .jsonl, .json or .parquet file (also with .gz after it)';

/** A table in a file. */
export interface OpenTable {
  readonly table: Table;
  /** What separates its fields; null for other forms. */
  readonly delimiter: Delimiter | null;
  /** How its characters are written; known when all rows were read once. */
  readonly encoding: () => FileEncoding;
  /** SHA-256 of the file; known when all rows were read once. */
  readonly sha256: () => string;
}

/**
 * Opens a table: its delimiter and encoding are detected unless stated. `shown` is what an error calls the file.
 *
 * @throws KrisisError where the file cannot be read, and later where it changes between two readings.
 */
export function openTable(
  path: string,
  shown = path,
  stated: {
    readonly delimiter?: Delimiter | undefined;
    readonly encoding?: FileEncoding | undefined;
    readonly sheet?: string | undefined;
    /** Whether JSON may hold objects and lists in its objects. Default: no. */
    readonly nested?: boolean;
  } = {},
): OpenTable {
  if (isSpreadsheet(path)) return openSpreadsheet(path, shown, stated.sheet);
  const kind = extname(isGzip(path) ? path.slice(0, -3) : path).toLowerCase();
  const usual = EXTENSIONS[kind];
  if (usual === undefined)
    throw new KrisisError(`cannot read ${quoted(shown)}: its extension is not a known format; ${EXPECTED}`, {
      code: 'ERR_FILE_UNREADABLE',
      value: path,
    });
  let { encoding } = stated;
  let sha256: string | undefined;
  let version: string | undefined;
  const texts = function* () {
    const found = reading(() => readVersion(path));
    version ??= found;
    if (version !== found)
      throw new KrisisError(`cannot read ${quoted(shown)}: it has changed since it was first read`, {
        code: 'ERR_FILE_UNREADABLE',
        value: path,
      });
    const hash = createHash('sha256');
    const decoder = fileDecoder(quoted(shown), encoding);
    const chunks = isGzip(path) ? unpackedChunks(hash) : fileChunks(path);
    try {
      for (let i = 0; ; i++) {
        const { value: chunk, done } = reading(() => chunks.next());
        if (done) break;
        if (i === 0) refuseOtherThanText(chunk, encoding ?? null, shown);
        if (sha256 === undefined && !isGzip(path)) hash.update(chunk);
        yield decoder.write(chunk);
      }
      yield decoder.end();
    } finally {
      chunks.return(undefined);
    }
    // Later readings need not find out, and cannot find anything else.
    encoding ??= decoder.encoding;
    sha256 ??= hash.digest('hex');
  };
  const delimiter =
    usual === null
      ? null
      : (stated.delimiter ??
        statedDelimiter(takeHead(texts())) ??
        detectDelimiter(takeHead(texts()), quoted(shown), usual));
  const table =
    kind === '.json'
      ? valueTable(rowsInJson([...texts()].join(''), shown), stated)
      : delimiter === null
        ? readJsonLines(texts, stated)
        : readDelimited(texts, delimiter);
  if (table.header.length > MAX_COLUMNS)
    throw new KrisisError(
      `cannot read ${quoted(shown)}: it has more than ${MAX_COLUMNS.toLocaleString('en')} columns; leave out those that are not needed`,
      { code: 'ERR_FILE_UNREADABLE', value: path },
    );
  return {
    table,
    delimiter,
    encoding: () => encoding!,
    sha256: () => sha256!,
  };

  /** Of a packed file the hash is that of the file, not of its content. */
  function* unpackedChunks(hash: Hash): Generator<Uint8Array> {
    checkRegularFile(path);
    const bytes = readFileSync(path);
    hash.update(bytes);
    const content = gunzipped(bytes, shown);
    for (let at = 0; at < content.length; at += UNPACKED_CHUNK)
      yield content.subarray(at, at + UNPACKED_CHUNK);
  }

  function reading<T>(read: () => T): T {
    try {
      return read();
    } catch (cause) {
      if (cause instanceof KrisisError) throw cause;
      throw unreadable(path, shown, cause, EXPECTED);
    }
  }
}

const UNPACKED_CHUNK = 1 << 20;

/** A sheet as a table. Its numbers have a decimal point, as the file holds them. */
function openSpreadsheet(path: string, shown: string, sheet: string | undefined): OpenTable {
  const [header, ...rows] = readSpreadsheet(path, sheet, quoted(shown));
  const names = header?.cells ?? [];
  const named = names.map((_, i) => i).filter((i) => names[i] !== '');
  return {
    table: {
      header: named.map((i) => names[i]!),
      *rows(onProblem) {
        for (const problem of repeatedNames(names, header?.line ?? 1)) onProblem?.(problem);
        for (const { cells, ...place } of rows) yield { ...place, cells: named.map((i) => cells[i] ?? '') };
      },
    },
    delimiter: null,
    encoding: () => 'utf-8',
    sha256: () => createHash('sha256').update(readFileSync(path)).digest('hex'),
  };
}

/** What changes when a file is written. */
function readVersion(path: string): string {
  const { size, mtimeMs, ino } = statSync(path);
  return [size, mtimeMs, ino].join(' ');
}

function takeHead(texts: Iterable<string>): string {
  let head = '';
  for (const text of texts) {
    head += text;
    if (head.length >= HEAD_CHARACTERS) break;
  }
  return head;
}

/** A text has no zero bytes, unless it is UTF-16, where every other byte of a Western language is one. */
function refuseOtherThanText(head: Uint8Array, stated: FileEncoding | null, shown: string): void {
  const zeros = head.subarray(0, 4096).filter((byte) => byte === 0).length;
  const isWide =
    stated?.startsWith('utf-16') || head[0] === 0xff || head[0] === 0xfe || head[0] === 0 || head[1] === 0;
  if (zeros === 0 || isWide) return;
  const start = Buffer.from(head.subarray(0, 16)).toString('latin1');
  const what = start.startsWith('SQLite format 3')
    ? 'it is a run file or another database, not a table'
    : 'it is not text';
  throw new KrisisError(`cannot read ${quoted(shown)}: ${what}; ${EXPECTED}`, {
    code: 'ERR_FILE_UNREADABLE',
    value: shown,
  });
}

/**
 * Cuts JSONL into cells: one flat object a line; `texts` gives the pieces of the text each time it is called. The columns are the keys found; a key that a line lacks, and null, are empty cells.
 *
 * @example
 * ```ts
 * const table = readJsonLines(() => ['{"age":61,"sex":"f"}\n{"age":null,"site":"b"}\n']);
 * table.header; // => ['age', 'sex', 'site']
 * [...table.rows()][1] // => { line: 2, cells: ['', '', 'b'] }
 * ```
 */
export function readJsonLines(
  texts: () => Iterable<string>,
  options: { readonly nested?: boolean } = {},
): Table {
  const spellings = new Map<string, Set<string>>();
  for (const { value } of objectsIn(texts(), options)) {
    for (const key of Object.keys(value)) {
      const name = key.trim();
      spellings.set(name, (spellings.get(name) ?? new Set()).add(key));
    }
    // Whoever opens the table refuses it.
    if (spellings.size > MAX_COLUMNS) break;
  }
  const header = [...spellings.keys()];
  const twice = header.filter((name) => spellings.get(name)!.size > 1);
  return {
    header,
    *rows(onProblem) {
      const found = 'keys that differ only in blanks';
      for (const name of twice)
        onProblem?.(fileProblem('one spelling', { column: name, value: name, found }));
      const columns = [...spellings.values()].map((keys) => [...keys].at(-1)!);
      for (const { line, value } of objectsIn(texts(), options, onProblem))
        yield {
          line,
          cells: columns.map((key) => (Object.hasOwn(value, key) ? cellText(value[key]) : '')),
        };
    },
  };
}

/** The objects of the lines that hold one; the other lines are problems. */
function* objectsIn(
  texts: Iterable<string>,
  options: { readonly nested?: boolean },
  onProblem?: (problem: FileProblem) => void,
): Generator<{ readonly line: number; readonly value: Readonly<Record<string, unknown>> }> {
  let line = 0;
  for (const source of splitLines(texts)) {
    line += 1;
    if (source.trim() === '') continue;
    const value = parseLine(source);
    const wrong =
      value === undefined
        ? [fileProblem('one JSON object on the line', { line, value: source.trim() })]
        : valueProblems(value, { line }, options);
    for (const problem of wrong) onProblem?.(problem);
    if (value !== undefined && wrong.length === 0) yield { line, value };
  }
}

function* splitLines(texts: Iterable<string>): Generator<string> {
  let rest = '';
  for (const text of texts) {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
  yield rest;
}

function parseLine(source: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(source);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Cuts delimited text into cells; `texts` gives the pieces of the text each time it is called. The first line names the columns. Blank lines, lines with separators only, and
 * columns with neither a name nor a cell are skipped.
 *
 * @example
 * ```ts
 * const table = readDelimited(() => ['age,sex\n61, f \n'], ',');
 * table.header; // => ['age', 'sex']
 * [...table.rows()] // => [{ line: 2, cells: ['61', 'f'] }]
 * ```
 */
export function readDelimited(texts: () => Iterable<string>, delimiter: Delimiter): Table {
  const first = firstRow(texts(), delimiter);
  const other = first && otherSeparator(first, delimiter);
  if (other)
    return {
      header: [],
      rows: (onProblem) => {
        onProblem?.(other);
        return [];
      },
    };
  const names = first?.cells ?? [];
  const named = names.map((_, i) => i).filter((i) => names[i] !== '');
  const isWhole = named.length === names.length;
  return {
    header: named.map((i) => names[i]!),
    *rows(onProblem) {
      const nameless = new Set<number>();
      const ragged = (row: DelimitedRow) =>
        fileProblem(
          `${names.length}, one per column of line ${first!.line} (put a text that holds ${DELIMITER_NAMES[delimiter]}s in quotation marks)`,
          { ...placeIn(row), found: counted(row.cells.length, 'field') },
        );
      for (const problem of repeatedNames(names, first?.line ?? 1)) onProblem?.(problem);
      let isHeader = true;
      try {
        for (const row of delimitedRows(texts(), delimiter)) {
          if (isBlank(row)) continue;
          if (isHeader) isHeader = false;
          else if (row.cells.length !== names.length) onProblem?.(ragged(row));
          else if (isWhole) yield row;
          else {
            row.cells.forEach((cell, i) => {
              if (cell !== '' && names[i] === '') nameless.add(i);
            });
            yield { ...placeIn(row), cells: named.map((i) => row.cells[i]!) };
          }
        }
      } catch (error) {
        if (!(error instanceof UnclosedQuote)) throw error;
        const found = 'a quotation mark in the row that begins here is never closed';
        onProblem?.(fileProblem('text in pairs of quotation marks', { line: error.line, found }));
      }
      const expected = 'a name for every column (pandas writes a nameless one without index=False)';
      for (const i of nameless)
        onProblem?.(fileProblem(expected, { line: first!.line, found: `field ${i + 1} has no name` }));
    },
  };
}

/** Also the line that states the separator. */
function isBlank(row: DelimitedRow): boolean {
  return row.cells.every((cell) => cell === '') || isSeparatorLine(row);
}

function firstRow(texts: Iterable<string>, delimiter: Delimiter): DelimitedRow | null {
  try {
    for (const row of delimitedRows(texts, delimiter)) if (!isBlank(row)) return row;
  } catch (error) {
    if (!(error instanceof UnclosedQuote)) throw error;
  }
  return null;
}

/** A header of one field that holds another separator: no column in it is what it seems. */
function otherSeparator({ line, cells }: DelimitedRow, delimiter: Delimiter): FileProblem | null {
  const other = ([',', '\t', ';', '|'] as const).find(
    (mark) => cells.length === 1 && cells[0]!.includes(mark),
  );
  if (other === undefined) return null;
  const found = `fields separated by ${DELIMITER_NAMES[other]}s`;
  return fileProblem(`${DELIMITER_NAMES[delimiter]}s, as stated`, { line, found });
}

function repeatedNames(names: readonly string[], line: number): FileProblem[] {
  const found = 'a second column of this name';
  const seen = new Set<string>();
  return names
    .filter((name) => {
      const isRepeated = name !== '' && seen.has(name);
      seen.add(name);
      return isRepeated;
    })
    .map((name) => ({ line, column: name, value: name, found, expected: 'different names' }));
}
