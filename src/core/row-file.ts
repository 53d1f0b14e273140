import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { type Chunks, type Delimiter, decodeText, type FileEncoding, readFields } from './delimited/index.ts';
import { KrisisError, whyUnreadable } from './errors.ts';
import { type EvaluationResult, parseRow } from './evaluation-result.ts';
import type { Label } from './label.ts';
import { shown } from './plain-text.ts';
import { checkRegularFile } from './regular-file.ts';
import { chooseReader, LINE_TOO_LONG, lineReader, MAX_LINE } from './row-file/json-rows.ts';
import { type CellDialect, objectReader, rowOfCells, withMetadata } from './row-file/row-cells.ts';
import {
  type ColumnRole,
  columnsError,
  proposeColumns,
  type RowColumns,
  type RowField,
  rolesOf,
} from './row-file/row-columns.ts';
import { counted } from './wording.ts';

/** How a file of rows is read. */
export interface ReadRowsOptions {
  /** Which column, or key of a JSON object, holds a field: `{ prediction: 'y_pred', ground_truth: 'y_true' }`. Default: columns named like the fields. */
  readonly columns?: RowColumns | undefined;
  /** What separates the fields of a table. Default: detected. */
  readonly delimiter?: Delimiter | undefined;
  /** The encoding of a text file. Default: detected. */
  readonly encoding?: FileEncoding | undefined;
  /** The labels whose choice means to act today: a row that also says whether it is urgent is then refused. Default: none. */
  readonly actLabels?: readonly Label[] | undefined;
  /** Called with each row that cannot be read, which is then left out. Default: the first one throws. */
  readonly onProblem?: ((problem: KrisisError) => void) | undefined;
}

/** What a row says besides itself. */
interface RowPlace {
  /** The model that the file names for the row; null where it names none. */
  readonly model: string | null;
}

export type OnRow = (row: EvaluationResult, place: RowPlace) => void;

/** Rows are flat, with metadata of a few levels at most. */
const MAX_DEPTH = 100;

const EXPECTED = 'expected a CSV, TSV, JSONL, JSON or Parquet file of rows';

/**
 * Reads rows from CSV, TSV, JSONL, JSON (an array of rows, or an object with them under `evaluation_results` or `rows`) or Parquet. `-` is standard input. Rows are streamed: each one is
 * passed to `onRow` and not kept. The first problem throws an error that says where it is.
 *
 * @throws KrisisError with the code `ERR_ROW_FILE` for a file or a row that cannot be read, and `ERR_ROW_COLUMNS` where a column cannot be found.
 */
export async function readRows(path: string, onRow: OnRow, options: ReadRowsOptions = {}): Promise<void> {
  const name = path === '-' ? 'standard input' : path;
  const rows = rowReader(name, onRow, options);
  const head = path === '-' ? '' : await headOf(path);
  const { format, other } = fileKind(path, head);
  if (other !== null) throw rowFileError(`${name}: ${other}; ${EXPECTED}`, { value: path });
  if (format === 'parquet') await readParquet(path, rows, options);
  else {
    const chunks: Chunks = path === '-' ? process.stdin : createReadStream(path, { highWaterMark: 1 << 20 });
    await readTexts(decodeText(chunks, name, options.encoding), format, rows, options);
  }
  if (rows.n === 0) throw rowFileError(`${name}: no rows; ${EXPECTED}`, { value: path });
}

/** The first bytes of a file. */
async function headOf(path: string): Promise<string> {
  try {
    checkRegularFile(path);
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
      return buffer.toString('latin1', 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (cause) {
    throw rowFileError(`${path}: ${whyUnreadable(cause)}; ${EXPECTED}, or - for standard input`, {
      value: path,
      cause,
    });
  }
}

type RowReader = ReturnType<typeof rowReader>;

/** Checks rows; an error names the line or row. */
function rowReader(name: string, onRow: OnRow, { columns, actLabels = [], onProblem }: ReadRowsOptions) {
  const fromObject = objectReader(columns);
  const rows = {
    /** Rows so far, also those that were left out. */
    n: 0,
    name,
    line(text: string, number: number): void {
      if (text.trim() === '') return;
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch (cause) {
        rows.refuse(`:${number}`, notJson(text, cause as Error));
        return;
      }
      rows.value(value, `:${number}`);
    },
    value(value: unknown, where: string): void {
      rows.check(fromObject(value), where, () => {
        const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
        return Object.keys(proposeColumns(keys, columns)).length > Object.keys(columns ?? {}).length
          ? keys
          : null;
      });
    },
    check(value: unknown, where: string, keys: () => readonly string[] | null = () => null): void {
      if (isNestedDeeper(value, MAX_DEPTH)) {
        rows.refuse(where, `is nested more than ${MAX_DEPTH} levels deep; expected a flat object`);
        return;
      }
      const parsed = parseRow(value);
      if ('problem' in parsed) {
        const { field, value: found, expected } = parsed.problem;
        const message = `${field} ${found === undefined ? 'is missing' : `is ${shown(found)}`}; expected ${expected}`;
        const names = found === undefined ? keys() : null;
        if (names !== null) throw columnsError(`${name}${where}: ${message}`, names, columns);
        rows.refuse(where, message, found);
        return;
      }
      // Two answers to the same question could contradict each other.
      if (actLabels.length > 0 && parsed.row.urgent !== null)
        throw new KrisisError(
          `${name}${where}: urgent is ${parsed.row.urgent}, and act labels are given (${actLabels.join(', ')}); expected one of the two: leave out the act labels, or the column urgent`,
          { code: 'ERR_ACT_LABELS', value: actLabels },
        );
      rows.n += 1;
      const { model } = value as { readonly model?: unknown };
      onRow(parsed.row, { model: model == null || model === '' ? null : String(model) });
    },
    refuse(where: string, message: string, value?: unknown): void {
      const error = rows.error(where, message, value);
      if (onProblem === undefined) throw error;
      rows.n += 1;
      onProblem(error);
    },
    error: (where: string, message: string, value?: unknown): KrisisError =>
      rowFileError(`${name}${where}: ${message}`, { value }),
  };
  return rows;
}

async function readTexts(
  texts: AsyncIterable<string>,
  known: RowFormat | null,
  rows: RowReader,
  options: ReadRowsOptions,
): Promise<void> {
  if (known === 'delimited') return readTable(texts, rows, options);
  let reader = known === 'jsonl' ? lineReader(rows) : null;
  let unread = '';
  const iterator = texts[Symbol.asyncIterator]();
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    // Only the beginning and the end of a line decide how the rest is read.
    const isDecisive = unread === '' || /[\n\r]/.test(next.value);
    unread += next.value;
    if (reader === null && unread.length > MAX_LINE) throw rows.error(':1', LINE_TOO_LONG);
    if (reader === null && !isDecisive) continue;
    if (reader === null && looksDelimited(unread)) return readTable(joined(unread, iterator), rows, options);
    reader ??= chooseReader(unread, rows, false);
    if (reader === null) continue;
    reader.write(unread);
    unread = '';
  }
  reader ??= chooseReader(unread, rows, true)!;
  if (unread !== '') reader.write(unread);
  reader.end();
}

/** Whether the first line is the header of a table: several names, and no JSON. */
function looksDelimited(head: string): boolean {
  const [line, ...rest] = head.trimStart().split(/[\n\r]/);
  return rest.length > 0 && !/^[[{"\d]/.test(line!) && /^[^,;\t|]+([,;\t|][^,;\t|]+)+$/.test(line!);
}

async function* joined(head: string, iterator: AsyncIterator<string>): AsyncGenerator<string> {
  yield head;
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
}

async function readTable(
  texts: AsyncIterable<string>,
  rows: RowReader,
  { columns, delimiter: stated }: ReadRowsOptions,
): Promise<void> {
  const { delimiter, rows: found } = await readFields(texts, rows.name, stated);
  let header: { readonly roles: readonly ColumnRole[]; readonly dialect: CellDialect } | null = null;
  for await (const { line, cells } of found) {
    if (header === null) {
      header = {
        roles: tableRoles(cells, rows.name, columns),
        dialect: { decimalComma: delimiter !== ',', isOurs: cells.includes('ledger_class') },
      };
      continue;
    }
    const { roles, dialect } = header;
    if (cells.length !== roles.length)
      rows.refuse(
        `:${line}`,
        `${counted(cells.length, 'field')}; expected ${roles.length}, one per column (a text that holds the delimiter belongs in quotation marks)`,
      );
    else rows.check(withMetadata(rowOfCells(roles, cells, dialect)), `:${line}`);
  }
}

/** How many rows of a Parquet file are turned from columns into rows at once. */
const ROWS_AT_ONCE = 10_000;

async function readParquet(path: string, rows: RowReader, { columns }: ReadRowsOptions): Promise<void> {
  // Only who reads such a file pays for loading its reader.
  const [{ asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, parquetSchema }, { compressors }] =
    await Promise.all([import('hyparquet'), import('hyparquet-compressors')]);
  const file = await asyncBufferFromFile(path);
  const unreadable = (cause: Error): never => {
    throw rowFileError(`${path}: cannot be read as Parquet: ${cause.message}`, { value: path, cause });
  };
  const metadata = await parquetMetadataAsync(file).catch(unreadable);
  const header = parquetSchema(metadata).children.map(({ element }) => element.name);
  const roles = tableRoles(header, rows.name, columns);
  const dialect = { decimalComma: false, isOurs: false };
  const n = Number(metadata.num_rows);
  for (let rowStart = 0; rowStart < n; rowStart += ROWS_AT_ONCE) {
    const rowEnd = Math.min(n, rowStart + ROWS_AT_ONCE);
    const objects = await parquetReadObjects({ file, metadata, compressors, rowStart, rowEnd }).catch(
      unreadable,
    );
    for (const object of objects) {
      const cells = header.map((name) => object[name]);
      rows.check(withMetadata(rowOfCells(roles, cells, dialect)), ` row ${rows.n + 1}`);
    }
  }
}

const NEEDED: readonly RowField[] = ['prediction', 'ground_truth'];

/** The roles of the columns of a table, which needs a prediction and the truth. */
function tableRoles(
  header: readonly string[],
  name: string,
  columns: RowColumns | undefined,
): readonly ColumnRole[] {
  const roles = rolesOf(header, columns, name);
  const has = (field: RowField) =>
    roles.some((role) => role !== null && 'field' in role && role.field === field);
  const missing = has('score') ? [] : NEEDED.filter((field) => !has(field));
  if (missing.length > 0)
    throw columnsError(`${name}: no column for ${missing.join(' and ')}`, header, columns);
  return roles;
}

function rowFileError(message: string, details: { value?: unknown; cause?: unknown } = {}): KrisisError {
  return new KrisisError(message, { ...details, code: 'ERR_ROW_FILE' });
}

function notJson(text: string, cause: Error): string {
  if (/:\s*(NaN|-?Infinity)\b/.test(text))
    return 'NaN and Infinity are not JSON; write null where there is no number';
  return `not JSON: ${cause.message}; expected one object per line`;
}

/** Whether objects and lists in a value are nested deeper than this: code that walks through them would run out of stack. */
function isNestedDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((inner) => isNestedDeeper(inner, levels - 1));
}

/** The forms in which a file can hold rows. */
type RowFormat = 'json' | 'jsonl' | 'delimited' | 'parquet';

const BY_NAME: readonly (readonly [RegExp, RowFormat])[] = [
  [/\.(jsonl|ndjson)$/i, 'jsonl'],
  [/\.(csv|tsv|tab)$/i, 'delimited'],
  [/\.(parquet|pq)$/i, 'parquet'],
];

/** The first bytes of files that hold no rows, whatever their name, and what such a file is. */
const OTHER_KINDS: readonly (readonly [string, string])[] = [
  ['SQLite format 3\0', 'is a run file (or another SQLite database), not a file of answers'],
  ['\x1f\x8b', 'is compressed (gzip); unpack it first'],
  ['PK\x03\x04', 'is a spreadsheet or a ZIP archive; save its table as CSV'],
  ['%PDF', 'is a PDF document'],
];

/** How many bytes of a file show what it is. */
const HEAD_BYTES = 16;

/**
 * What a file is by its first bytes, or else by its name; null where its text has to be looked at. `other` says what a file is that holds no rows.
 */
function fileKind(name: string, head: string): { format: RowFormat | null; other: string | null } {
  const other = OTHER_KINDS.find(([magic]) => head.startsWith(magic))?.[1] ?? null;
  if (head.startsWith('PAR1')) return { format: 'parquet', other };
  return { format: BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ?? null, other };
}
