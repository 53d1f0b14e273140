import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { counted } from './counted.ts';
import { type Chunks, type Delimiter, decodeText, type FileEncoding, readFields } from './delimited/index.ts';
import { type EvaluationResult, parseRow } from './evaluation-result.ts';
import { KrisisError } from './krisis-error.ts';
import type { Label } from './label.ts';
import { shown } from './quoted.ts';
import { checkRegularFile } from './regular-file.ts';
import { fileKind, HEAD_BYTES, type RowFormat } from './row-file/file-kind.ts';
import { chooseReader, LINE_TOO_LONG, lineReader, MAX_LINE } from './row-file/json-rows.ts';
import { openParquet } from './row-file/parquet-rows.ts';
import { type CellDialect, rowOfCells } from './row-file/row-cells.ts';
import {
  type ColumnRole,
  columnsError,
  proposeColumns,
  type RowColumns,
  type RowField,
  rolesOf,
} from './row-file/row-columns.ts';
import { objectReader, withMetadata } from './row-file/row-of-object.ts';
import { whyUnreadable } from './system-errors.ts';

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

/** Rows are flat, with metadata of a few levels at most. */
const MAX_DEPTH = 100;

const EXPECTED = 'expected a CSV, TSV, JSONL, JSON or Parquet file of rows';

/**
 * Reads rows from CSV, TSV, JSONL, JSON (an array of rows, or an object with them under `evaluation_results` or `rows`) or Parquet. `-` is standard input. Rows are streamed: each one is
 * passed to `onRow` and not kept. The first problem throws an error that says where it is.
 *
 * @throws KrisisError with the code `ERR_ROW_FILE` for a file or a row that cannot be read, and `ERR_ROW_COLUMNS` where a column cannot be found.
 */
export async function readRows(
  path: string,
  onRow: (row: EvaluationResult) => void,
  options: ReadRowsOptions = {},
): Promise<void> {
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
function rowReader(
  name: string,
  onRow: (row: EvaluationResult) => void,
  { columns, actLabels = [], onProblem }: ReadRowsOptions,
) {
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
      onRow(parsed.row);
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
  for await (const { line, fields } of found) {
    if (header === null) {
      header = {
        roles: tableRoles(fields, rows.name, columns),
        dialect: { decimalComma: delimiter !== ',', isOurs: fields.includes('ledger_class') },
      };
      continue;
    }
    const { roles, dialect } = header;
    if (fields.length !== roles.length)
      rows.refuse(
        `:${line}`,
        `${counted(fields.length, 'field')}; expected ${roles.length}, one per column (a text that holds the delimiter belongs in quotation marks)`,
      );
    else rows.check(withMetadata(rowOfCells(roles, fields, dialect)), `:${line}`);
  }
}

async function readParquet(path: string, rows: RowReader, { columns }: ReadRowsOptions): Promise<void> {
  const table = await openParquet(path);
  const roles = tableRoles(table.header, rows.name, columns);
  const dialect = { decimalComma: false, isOurs: false };
  for await (const values of table.rows())
    rows.check(withMetadata(rowOfCells(roles, values, dialect)), ` row ${rows.n + 1}`);
}

const NEEDED: readonly RowField[] = ['prediction', 'ground_truth'];

/** The roles of the columns of a table, which needs a prediction and the truth. */
function tableRoles(
  header: readonly string[],
  name: string,
  columns: RowColumns | undefined,
): readonly ColumnRole[] {
  const roles = rolesOf(header, columns, name);
  const missing = NEEDED.filter(
    (field) => !roles.some((role) => role !== null && 'field' in role && role.field === field),
  );
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
