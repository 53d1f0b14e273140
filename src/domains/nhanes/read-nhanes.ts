import { basename } from 'node:path';
import { KrisisError } from '../../core/errors.ts';
import { quoted } from '../../core/plain-text.ts';
import { readRegularFile } from '../../core/regular-file.ts';
import { cutFields } from '../../suites/cut-fields.ts';
import { fileProblem, problemsError, unreadable, utf8Text } from '../../suites/file-problem.ts';
import type { Ethnicity, Sex } from '../cohort/people.ts';
import type { DataFileReport } from '../domain.ts';
import { otherData, SEQN } from './nhanes-columns.ts';
import { isXpt, readXpt } from './read-xpt.ts';

/** One person of the survey: the values of the columns that were asked for, by their official names; null for missing. */
export interface NhanesRow<Column extends string = string> {
  /** The respondent's number. */
  readonly seqn: number;
  readonly values: Readonly<Partial<Record<Column, number | null>>>;
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
): Promise<{
  /** Sorted by number. */
  readonly rows: readonly NhanesRow<Column>[];
  /** The columns asked for that some file has. */
  readonly columns: ReadonlySet<Column>;
}> {
  const joined = new Map<number, Partial<Record<Column, number | null>>>();
  const columns = new Set<Column>();
  for (const path of paths.split(',').map((one) => one.trim())) {
    const table = await readTable(path);
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

/** The people of the survey whom a task can use, and how many it leaves out, by reason. */
export interface SurveyPeople<P> {
  readonly people: readonly P[];
  readonly excluded: ReadonlyMap<string, number>;
}

/** The columns by which every task knows a person. */
export type PersonColumn = 'RIDAGEYR' | 'RIAGENDR' | 'RIDRETH3' | 'RIDRETH1';

/** RIDRETH3 has a number of its own for Asian people; RIDRETH1 counts them among others (5). */
const ETHNICITY: Readonly<Record<number, Ethnicity>> = {
  1: 'Mexican American',
  2: 'other Hispanic',
  3: 'non-Hispanic White',
  4: 'non-Hispanic Black',
  5: 'other or multiracial',
  6: 'non-Hispanic Asian',
  7: 'other or multiracial',
};
const ADULT_AGE = 18;

/** Adults whose age and sex are known and whom the task does not leave out. */
export function surveyAdults<Column extends string, P>(
  rows: readonly NhanesRow<Column | PersonColumn>[],
  whyLeftOut: (row: NhanesRow<Column | PersonColumn>) => string | null,
  createPerson: (
    row: NhanesRow<Column | PersonColumn>,
    who: { readonly years: number; readonly sex: Sex; readonly ethnicity: Ethnicity | null },
  ) => P,
): SurveyPeople<P> {
  const excluded = new Map<string, number>();
  const people: P[] = [];
  for (const row of rows) {
    const { RIDAGEYR: years = null, RIAGENDR: sex = null, RIDRETH3, RIDRETH1 } = row.values;
    const isUnknown = years === null || (sex !== 1 && sex !== 2);
    const why = isUnknown ? 'age_or_sex_missing' : years < ADULT_AGE ? 'under_18' : whyLeftOut(row);
    if (why !== null) excluded.set(why, (excluded.get(why) ?? 0) + 1);
    else {
      const ethnicity = ETHNICITY[RIDRETH3 ?? RIDRETH1 ?? 0] ?? null;
      people.push(createPerson(row, { years: years!, sex: sex === 1 ? 'male' : 'female', ethnicity }));
    }
  }
  return { people, excluded };
}

const TOGETHER = 'Files that belong together are given at once, with commas between them.';

/**
 * Whether a task can use NHANES files, with how many people, and who is left out and why. A file that lacks what the task needs is no problem: it may be one of several.
 *
 * @throws KrisisError with the code `ERR_FILE_UNREADABLE` or `ERR_DATA_FILE` where a file cannot be read, or is not a file of the survey.
 */
export async function checkNhanes(
  path: string,
  task: string,
  read: (paths: string) => Promise<SurveyPeople<unknown>>,
): Promise<DataFileReport> {
  const rows = (await readNhanes(path, [])).rows.length;
  const text = [`NHANES, joined by SEQN: ${rows} ${rows === 1 ? 'person' : 'people'}.`];
  const survey = await attempt(() => read(path));
  if (typeof survey === 'string')
    return {
      problems: [],
      text: [...text, TOGETHER, `${task} needs more: ${survey}.`],
      json: { rows, [task]: { records: 0, left_out: {}, needs: survey } },
    };
  const { people, excluded } = survey;
  return {
    problems: [],
    text: [...text, `${task} can use ${people.length} of them${leftOutText(excluded)}.`],
    json: { rows, [task]: { records: people.length, left_out: Object.fromEntries(excluded), needs: null } },
  };
}

function leftOutText(excluded: ReadonlyMap<string, number>): string {
  if (excluded.size === 0) return '; none is left out';
  return `; left out: ${[...excluded].map(([reason, n]) => `${n} ${reason.replaceAll('_', ' ')}`).join(', ')}`;
}

/** A result, or the message of the error that says why there is none. */
async function attempt<T>(work: () => Promise<T>): Promise<T | string> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof KrisisError) return error.message;
    throw error;
  }
}

interface RawTable {
  /** In capital letters. */
  readonly columns: readonly string[];
  readonly rows: readonly { readonly line: number | null; readonly cells: readonly (number | null)[] }[];
}

async function readTable(path: string): Promise<RawTable> {
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
  return { columns, rows: body.map(({ line, fields }) => ({ line, cells: fields.map(parseNumber) })) };
}

function parseNumber(field: string): number | null {
  const text = field.trim();
  if (text === '' || text === '.') return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}
