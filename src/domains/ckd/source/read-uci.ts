import { readRegularFile } from '../../../core/index.ts';
import { problemsError, unreadable, utf8Text } from '../../../suites/file-problem.ts';
import { columnText } from './columns.ts';
import { inspectUciText, type UciInspection } from './inspect-text.ts';

/** A file without problems, after the repairs it lists. */
export interface UciTable extends Omit<UciInspection, 'problems'> {
  readonly path: string;
}

export type UciValidation = Omit<UciInspection, 'rows'>;

/**
 * Reads a UCI Chronic Kidney Disease file, CSV or the original ARFF: `const { rows } = await readUciFile(path)`.
 * Known defects are repaired and listed in `repairs`; known implausible cells are null and listed in `screened`.
 *
 * @throws KrisisError with up to 20 problems in its message and all of them in `value`, or when the file cannot be read.
 */
export async function readUciFile(path: string): Promise<UciTable> {
  const { problems, ...table } = inspectUciText(await readText(path));
  if (problems.length === 0) return { path, ...table };
  throw problemsError(path, problems, { nameOf: columnText });
}

/**
 * Finds everything that is wrong with a file at once, what would be repaired and what screened:
 * `const { problems } = await validateUciFile(path)`. An empty list of problems means that `readUciFile` succeeds.
 *
 * @throws KrisisError only when the file cannot be read.
 */
export async function validateUciFile(path: string): Promise<UciValidation> {
  const { rows: _, ...validation } = inspectUciText(await readText(path));
  return validation;
}

async function readText(path: string): Promise<string> {
  const bytes = await readRegularFile(path).catch((cause) => {
    throw unreadable(path, path, cause, 'give the path of a CSV or ARFF file');
  });
  return utf8Text(bytes, path, path);
}
