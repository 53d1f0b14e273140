import { open } from 'node:fs/promises';
import { type Chunks, decodeText, type FileEncoding, fileChunks } from './delimited/decode-text.ts';
import {
  type DelimitedRow,
  type Delimiter,
  formatPlace,
  isSeparatorLine,
  readFields,
} from './delimited/rows.ts';
import { readSpreadsheet, ZIP_MAGIC } from './delimited/spreadsheet.ts';
import { KrisisError, whyUnreadable } from './errors.ts';
import { type EvaluationResult, parseRow } from './evaluation-result.ts';
import type { Label } from './label.ts';
import { quoted, shown } from './plain-text.ts';
import { checkRegularFile } from './regular-file.ts';
import { type AnswerReading, answerReader, type RowNotice } from './row-file/answer-reading.ts';
import { caseChecker } from './row-file/case-checker.ts';
import { chooseReader, LINE_TOO_LONG, lineReader, MAX_LINE } from './row-file/json-rows.ts';
import {
  BOOLEAN_FIELDS,
  type CellDialect,
  objectReader,
  rowOfCells,
  withMetadata,
  YES_OR_NO,
} from './row-file/row-cells.ts';
import {
  assignRoles,
  type ColumnRole,
  columnsError,
  nearColumns,
  proposeColumns,
  type RowColumns,
  type RowField,
} from './row-file/row-columns.ts';
import { counted } from './wording.ts';

/** How a file of rows is read. */
export interface ReadRowsOptions extends AnswerReading {
  /** Which column, or key of a JSON object, holds a field: `{ prediction: 'y_pred', ground_truth: 'y_true' }`. Default: columns named like the fields. */
  readonly columns?: RowColumns | undefined;
  /** What separates the fields of a table. Default: detected. */
  readonly delimiter?: Delimiter | undefined;
  /** The sheet of a spreadsheet. Default: the first. */
  readonly sheet?: string | undefined;
  /** The encoding of a text file. Default: detected. */
  readonly encoding?: FileEncoding | undefined;
  /** The labels whose choice means to act today: a row that also says whether it is urgent is then refused. Default: none. */
  readonly actLabels?: readonly Label[] | undefined;
  /** Called with each row that cannot be read, which is then left out. Default: the first one throws. */
  readonly onProblem?: ((problem: KrisisError) => void) | undefined;
  /** Called at the end with what is odd about the file. Default: nothing is said. */
  readonly onNotice?: ((notice: RowNotice) => void) | undefined;
}

export type OnRow = (
  row: EvaluationResult,
  place: {
    /** The model that the file names for the row; null where it names none. */
    readonly model: string | null;
    /** The number of the model's answer to its case, from 0. */
    readonly repeat: number;
  },
) => void;

/** Rows are flat, with metadata of a few levels at most. */
const MAX_DEPTH = 100;

const EXPECTED = 'expected a CSV, TSV, XLSX, JSONL, JSON or Parquet file of rows';

/**
 * Reads rows from CSV, TSV, XLSX, JSONL, JSON (an array of rows, or an object with them under `evaluation_results` or `rows`) or Parquet. `-` is standard input. Rows are streamed: each one is
 * passed to `onRow` and not kept. Rows with the same id are repeats of one case. The first problem throws an error that says where it is.
 *
 * @throws KrisisError with the code `ERR_ROW_FILE` for a file or a row that cannot be read, `ERR_ROW_COLUMNS` where a column cannot be found, and `ERR_CONFIDENCE_SCALE` where most
 * confidences are above 1.
 */
export async function readRows(path: string, onRow: OnRow, options: ReadRowsOptions = {}): Promise<void> {
  const name = path === '-' ? 'standard input' : path;
  if (options.columns?.checked !== undefined && options.columns.score === undefined)
    throw new KrisisError(
      'columns: "checked" holds the scores that people gave to some answers; expected the scores of all answers beside it: add score=COLUMN',
      { code: 'ERR_ROW_FILE', value: options.columns },
    );
  const rows = rowReader(name, onRow, options);
  const head = path === '-' ? '' : await readHead(path);
  const { format, other } = fileKind(path, head);
  if (other !== null) throw rowFileError(`${name}: ${other}; ${EXPECTED}`, { value: path });
  if (format === 'parquet') await readParquet(path, rows, options);
  else if (format === 'xlsx') readSheet(path, rows, options);
  else {
    const chunks: Chunks = path === '-' ? process.stdin : fileChunks(path);
    await readTexts(decodeText(chunks, name, options.encoding), format, rows, options);
  }
  if (rows.n === 0) throw rowFileError(`${name}: no rows; ${EXPECTED}`, { value: path });
  rows.end();
}

/** The first bytes of a file. */
async function readHead(path: string): Promise<string> {
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
  onRow: OnRow,
  { columns, actLabels = [], onProblem, onNotice, ...reading }: ReadRowsOptions,
) {
  const fromObject = objectReader(columns);
  const answers = answerReader(reading);
  const cases = caseChecker();
  let names: readonly string[] | null = null;
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
        rows.refuse(`:${number}`, notJson(text, cause as Error, name));
        return;
      }
      rows.value(value, `:${number}`);
    },
    value(value: unknown, where: string): void {
      names ??= typeof value === 'object' && value !== null ? Object.keys(value) : [];
      rows.check(fromObject(value), where, () => {
        const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
        const nProposed = Object.keys(proposeColumns(keys, columns)).length;
        return nProposed > Object.keys(columns ?? {}).length ? keys : null;
      });
    },
    /** The columns of a table. */
    columns(header: readonly string[]): void {
      names = header;
    },
    check(
      value: unknown,
      where: string,
      keys: () => readonly string[] | null = () => null,
      isTable = false,
    ): void {
      if (isNestedDeeper(value, MAX_DEPTH)) {
        rows.refuse(where, `is nested more than ${MAX_DEPTH} levels deep; expected a flat object`);
        return;
      }
      const parsed = parseRow(value);
      if ('problem' in parsed) {
        const { field, value: found } = parsed.problem;
        const isFlag = isTable && BOOLEAN_FIELDS.has(field.replace('metadata.', ''));
        const expected = isFlag ? YES_OR_NO : parsed.problem.expected;
        const message = `${field} ${found === undefined ? 'is missing' : `is ${shown(found)}`}; expected ${expected}`;
        const proposed = found === undefined ? keys() : null;
        if (proposed !== null) throw columnsError(`${name}${where}: ${message}`, proposed, columns);
        rows.refuse(where, message, found);
        return;
      }
      // Two answers to the same question could contradict each other.
      if (actLabels.length > 0 && parsed.row.urgent !== null)
        throw new KrisisError(
          `${name}${where}: urgent is ${parsed.row.urgent}, and act labels are given (${actLabels.join(', ')}); expected one of the two: leave out the act labels, or the column urgent`,
          { code: 'ERR_ACT_LABELS', value: actLabels },
        );
      const named = value as { readonly model?: unknown; readonly repeat?: unknown };
      const model = named.model == null || named.model === '' ? null : String(named.model);
      const { problem, repeat } = cases.add(parsed.row, named.repeat ?? null, model);
      if (problem !== null) {
        rows.refuse(where, problem, parsed.row.id);
        return;
      }
      rows.n += 1;
      onRow(answers.read(parsed.row), { model, repeat });
    },
    /** What can only be said of all rows. */
    end(): void {
      try {
        answers.check(name);
      } catch (error) {
        if (onProblem === undefined) throw error;
        onProblem(error as KrisisError);
      }
      if (onNotice === undefined) return;
      for (const notice of [
        ...nearNotices(names ?? [], columns),
        ...cases.notices(),
        ...answers.notices(hasField(names, 'abstained', columns)),
      ])
        onNotice(notice);
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

/** Columns whose names are nearly those of fields. */
function nearNotices(names: readonly string[], columns: RowColumns | undefined): RowNotice[] {
  const near = nearColumns(names, columns);
  const listed = Object.entries(near).map(([field, column]) => `${quoted(column)} (${field}?)`);
  if (listed.length === 0) return [];
  const message = `${listed.length === 1 ? 'this column is' : 'these columns are'} read as metadata: ${listed.join(', ')}`;
  return [{ code: 'near_columns', message, value: near }];
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

/** Whether a column or key holds this field. */
function hasField(names: readonly string[] | null, field: RowField, columns: RowColumns = {}): boolean {
  return columns[field] !== undefined || (names ?? []).some((known) => known.toLowerCase() === field);
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
  const table = tableReader(rows, columns, delimiter !== ',');
  for await (const row of found) if (!isSeparatorLine(row)) table.add(row);
}

/** Reads the rows of one sheet. */
function readSheet(path: string, rows: RowReader, { columns, sheet }: ReadRowsOptions): void {
  const table = tableReader(rows, columns, false);
  for (const row of readSpreadsheet(path, sheet)) table.add(row);
}

/** Reads the rows of a table, the first of which names its columns. */
function tableReader(rows: RowReader, columns: RowColumns | undefined, decimalComma: boolean) {
  let header: { readonly roles: readonly ColumnRole[]; readonly dialect: CellDialect } | null = null;
  return {
    add(row: DelimitedRow): void {
      const { cells } = row;
      if (header === null) {
        header = {
          roles: tableRoles(cells, rows.name, columns, formatPlace(row)),
          dialect: { decimalComma, ...ownDialect(cells, true) },
        };
        rows.columns(cells);
        return;
      }
      const { roles, dialect } = header;
      if (cells.length === roles.length)
        rows.check(withMetadata(rowOfCells(roles, cells, dialect)), formatPlace(row), undefined, true);
      else
        rows.refuse(
          formatPlace(row),
          `${counted(cells.length, 'field')}; expected ${roles.length}, one per column (a text that holds the delimiter belongs in quotation marks)`,
        );
    },
  };
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
  rows.columns(header);
  const dialect = { decimalComma: false, ...ownDialect(header, false) };
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

/** What is special in a table of our own. Only a CSV has apostrophes before what a spreadsheet would take for a formula. */
function ownDialect(header: readonly string[], isCsv: boolean) {
  const isOurs = header.includes('ledger_class');
  return { isOurs, isGuarded: isOurs && isCsv };
}

const NEEDED: readonly RowField[] = ['prediction', 'ground_truth'];

/** The roles of the columns of a table, which needs a prediction and the truth. */
function tableRoles(
  header: readonly string[],
  name: string,
  columns: RowColumns | undefined,
  place = '',
): readonly ColumnRole[] {
  const named = header.filter((cell) => cell !== '');
  if (named.length === 1 && columns === undefined)
    throw rowFileError(
      `${name}${place}: ${quoted(named[0]!)} is the only text here, so it does not name the columns; expected them in the first row: delete what stands above them`,
      { value: named[0] },
    );
  const roles = assignRoles(header, columns, name);
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

function notJson(text: string, cause: Error, name: string): string {
  if (/:\s*(NaN|-?Infinity)\b/.test(text))
    return 'NaN and Infinity are not JSON; write null where there is no number';
  const expected = /\.json$/i.test(name) ? 'a list of rows, or an object with rows' : 'one object per line';
  return `not JSON: ${cause.message}; expected ${expected}`;
}

/** Whether objects and lists in a value are nested deeper than this: code that walks through them would run out of stack. */
function isNestedDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  // Without a list of the values: this is asked about every row.
  for (const key in value)
    if (isNestedDeeper((value as Record<string, unknown>)[key], levels - 1)) return true;
  return false;
}

/** The forms in which a file can hold rows. */
type RowFormat = 'json' | 'jsonl' | 'delimited' | 'parquet' | 'xlsx';

const BY_NAME: readonly (readonly [RegExp, RowFormat])[] = [
  [/\.(jsonl|ndjson)$/i, 'jsonl'],
  [/\.(csv|tsv|tab)$/i, 'delimited'],
  [/\.(parquet|pq)$/i, 'parquet'],
];

/** The first bytes of files that hold no rows, whatever their name, and what such a file is. */
const OTHER_KINDS: readonly (readonly [string, string])[] = [
  ['SQLite format 3\0', 'is a run file (or another SQLite database), not a file of answers'],
  ['\x1f\x8b', 'is compressed (gzip); unpack it first'],
  ['\xd0\xcf\x11\xe0', 'is a spreadsheet of an old version of Excel (.xls); save it as .xlsx or as CSV'],
  ['%PDF', 'is a PDF document'],
];

/** How many bytes of a file show what it is. */
const HEAD_BYTES = 512;

/** What a file is whose beginning is not the text of a table; null where it may be one. UTF-16 has a zero byte beside each letter. */
function otherText(head: string): string | null {
  if (/^\s*<(!doctype|html|\?xml)/i.test(head.replace(/^\xef\xbb\xbf/, '')))
    return 'is a web page or XML, not a table';
  const isWide = /^(\xff\xfe|\xfe\xff)/.test(head) || head[0] === '\0' || head[1] === '\0';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no text has these
  const nControls = head.match(/[\x01-\x08\x0e-\x1f]/g)?.length ?? 0;
  return !isWide && (head.includes('\0') || nControls > head.length / 50) ? 'is not text' : null;
}

/**
 * What a file is by its first bytes, or else by its name; null where its text has to be looked at. `other` says what a file is that holds no rows.
 */
function fileKind(name: string, head: string): { format: RowFormat | null; other: string | null } {
  const other = OTHER_KINDS.find(([magic]) => head.startsWith(magic))?.[1] ?? otherText(head);
  if (head.startsWith('PAR1')) return { format: 'parquet', other: null };
  if (head.startsWith(ZIP_MAGIC)) {
    const isZip = /\.zip$/i.test(name);
    return { format: 'xlsx', other: isZip ? 'is a ZIP archive; unpack it first' : null };
  }
  return { format: BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ?? null, other };
}
