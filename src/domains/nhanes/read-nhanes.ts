import { basename } from 'node:path';
import { KrisisError, quoted, readRegularFile } from '../../core/index.ts';
import { cutFields } from '../../suites/cut-fields.ts';
import { fileProblem, problemsError, unreadable, utf8Text } from '../../suites/file-problem.ts';
import { SEQN } from './nhanes-file.ts';
import { otherData } from './other-data.ts';
import { isXpt, readXpt } from './read-xpt.ts';

/** One person of the survey: the values of the columns that were asked for, by their official names; null for missing. */
export interface NhanesRow<Column extends string = string> {
  /** The respondent's number. */
  readonly seqn: number;
  readonly values: Readonly<Partial<Record<Column, number | null>>>;
}

export interface NhanesTable<Column extends string = string> {
  /** Sorted by number. */
  readonly rows: readonly NhanesRow<Column>[];
  /** The columns asked for that some file has. */
  readonly columns: ReadonlySet<Column>;
}

const EXPECTED =
  'give NHANES files: one merged CSV, or several CSV or SAS transport (XPT) files with a column SEQN, separated by commas';

/**
 * Reads NHANES files and joins them by SEQN: one merged CSV, or several CSV or SAS transport files separated by commas. Only the columns asked for are kept. A blank or a period is
 * missing. Where two files have the same column, the first that has a value counts.
 *
 * @throws KrisisError with the code `ERR_FILE_UNREADABLE` for a file that cannot be read, and `ERR_DATA_FILE` for one that is not such a file.
 */
export async function readNhanes<Column extends string>(
  paths: string,
  wanted: readonly Column[],
): Promise<NhanesTable<Column>> {
  const joined = new Map<number, Partial<Record<Column, number | null>>>();
  const columns = new Set<Column>();
  for (const path of paths.split(',').map((one) => one.trim())) {
    const table = await tableOf(path);
    const key = table.columns.indexOf(SEQN);
    const used = wanted.flatMap((name) => {
      const position = table.columns.indexOf(name);
      if (position >= 0) columns.add(name);
      return position < 0 ? [] : [{ name, position }];
    });
    const seen = new Set<number>();
    for (const { line, cells } of table.rows) {
      const seqn = cells[key] ?? null;
      if (seqn === null || seen.has(seqn))
        throw problemsError(basename(path), [
          fileProblem('each respondent once', {
            line,
            column: SEQN,
            value: seqn === null ? null : String(seqn),
          }),
        ]);
      seen.add(seqn);
      const row: Partial<Record<Column, number | null>> = joined.get(seqn) ?? {};
      for (const { name, position } of used) row[name] = row[name] ?? cells[position] ?? null;
      joined.set(seqn, row);
    }
  }
  const rows = [...joined].map(([seqn, values]) => ({ seqn, values })).sort((a, b) => a.seqn - b.seqn);
  return { rows, columns };
}

interface RawTable {
  /** In capital letters. */
  readonly columns: readonly string[];
  readonly rows: readonly { readonly line: number | null; readonly cells: readonly (number | null)[] }[];
}

async function tableOf(path: string): Promise<RawTable> {
  const shown = basename(path);
  const bytes = await readRegularFile(path).catch((cause: unknown) => {
    throw unreadable(path, shown, cause, EXPECTED);
  });
  const table = isXpt(bytes) ? fromXpt(bytes, shown) : fromCsv(utf8Text(bytes, path, shown), shown);
  const other = otherData(table.columns);
  if (other !== null)
    throw new KrisisError(
      `${quoted(shown)}: ${other}. It can be run as a table suite, where the class of the file is the label`,
      { code: 'ERR_DATA_FILE', value: path },
    );
  if (!table.columns.includes(SEQN))
    throw new KrisisError(`${quoted(shown)} has no column SEQN, so it is not an NHANES file; ${EXPECTED}`, {
      code: 'ERR_DATA_FILE',
      value: path,
    });
  return table;
}

function fromXpt(bytes: Buffer, shown: string): RawTable {
  const table = readXpt(bytes);
  if (table !== null)
    return { columns: table.columns, rows: table.rows.map((cells) => ({ line: null, cells })) };
  throw new KrisisError(`${quoted(shown)} begins as a SAS transport file, but its tables cannot be read`, {
    code: 'ERR_DATA_FILE',
    value: shown,
  });
}

function fromCsv(text: string, shown: string): RawTable {
  const { rows, error } = cutFields(text, {});
  if (error !== null) throw problemsError(shown, [fileProblem('every quotation mark to be closed')]);
  const [header, ...body] = rows;
  const columns = (header?.fields ?? []).map((name) => name.trim().toUpperCase());
  // Columns of text are not used, so text is read as missing.
  return { columns, rows: body.map(({ line, fields }) => ({ line, cells: fields.map(numberOf) })) };
}

function numberOf(field: string): number | null {
  const text = field.trim();
  if (text === '' || text === '.') return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}
