import { snakeKeys } from '../../../core/codec.ts';
import { readRegularFile } from '../../../core/regular-file.ts';
import { problemsError, problemText, unreadable, utf8Text } from '../../../suites/file-problem.ts';
import type { DataFileReport } from '../../domain.ts';
import { columnText, UCI_FEATURES } from './columns.ts';
import { inspectUciText, type UciInspection } from './inspect-text.ts';

/** A file without problems, after the repairs it lists. */
export interface UciTable extends Omit<UciInspection, 'problems'> {
  readonly path: string;
}

/**
 * Reads a UCI Chronic Kidney Disease file, CSV or the original ARFF: `const { rows } = await readUciFile(path)`.
 * Known defects are repaired and listed in `repairs`; known implausible cells are null and listed in `screened`.
 *
 * @throws KrisisError with up to 20 problems in its message and all of them in `value`, or when the file cannot be read.
 */
export async function readUciFile(path: string): Promise<UciTable> {
  const { problems, ...table } = inspectUciText(await readText(path));
  if (problems.length === 0) return { path, ...table };
  throw problemsError(path, problems, { formatColumn: columnText });
}

/**
 * Finds everything that is wrong with a file at once, what would be repaired and what screened:
 * `const { problems } = await validateUciFile(path)`. An empty list of problems means that `readUciFile` succeeds.
 *
 * @throws KrisisError only when the file cannot be read.
 */
export async function validateUciFile(path: string): Promise<Omit<UciInspection, 'rows'>> {
  const { rows: _, ...validation } = inspectUciText(await readText(path));
  return validation;
}

async function readText(path: string): Promise<string> {
  const bytes = await readRegularFile(path).catch((cause) => {
    throw unreadable(path, path, cause, 'give the path of a CSV or ARFF file');
  });
  return utf8Text(bytes, path, path);
}

const MAX_LISTED = 12;
/** Some of the 24 names are short and common: a few do not make a UCI file. */
const MIN_NAMES = 8;

/** Whether a header has many of the names of the UCI file. */
export function hasUciColumns(header: readonly string[]): boolean {
  const names = new Set(header.map((name) => name.trim().toLowerCase()));
  return UCI_FEATURES.filter(({ name }) => names.has(name)).length >= MIN_NAMES;
}

/** Everything that is wrong with a UCI file, in lines and as JSON. */
export async function checkUciFile(path: string): Promise<DataFileReport> {
  const { problems, repairs, screened, summary } = await validateUciFile(path);
  return {
    problems: problems.map((problem) => problemText(problem, columnText)),
    json: {
      ok: problems.length === 0,
      rows: summary.rows,
      problems,
      repairs,
      screened,
      summary: snakeKeys(summary),
    },
    text: [
      `${summary.rows} rows (${summary.classCounts.ckd} ckd, ${summary.classCounts.notckd} notckd), ${summary.format.toUpperCase()}`,
      `missing: ${summary.missingCells} of ${summary.cells} cells${summary.idsAssigned ? '; no id column: rows are numbered' : ''}`,
      ...section(
        'repaired',
        repairs.map(({ line, message }) => `line ${line}: ${message}`),
      ),
      ...section(
        'set to missing as implausible',
        screened.map(({ line, column, value, reason }) => `line ${line}: ${column} = ${value} (${reason})`),
      ),
    ],
  };
}

function section(title: string, items: readonly string[]): string[] {
  if (items.length === 0) return [];
  const more = items.length > MAX_LISTED ? [`  and ${items.length - MAX_LISTED} more (JSON lists them)`] : [];
  return [`${title}:`, ...items.slice(0, MAX_LISTED).map((item) => `  ${item}`), ...more];
}
