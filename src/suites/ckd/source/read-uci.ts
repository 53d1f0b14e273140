import { readFile } from 'node:fs/promises';
import { KrisisError, quoted } from '../../../core/index.ts';
import { inspectUciText, type UciInspection } from './inspect-text.ts';
import { problemText } from './problem.ts';

/** A file in which everything is in order, after the repairs it lists. */
export interface UciTable extends Omit<UciInspection, 'problems'> {
  readonly path: string;
}

export type UciValidation = Omit<UciInspection, 'rows'>;

const MOST_PROBLEMS = 20;

/**
 * Reads a UCI Chronic Kidney Disease file, CSV or the original ARFF: `const { rows } = await readUciFile(path)`.
 * Known defects are mended and listed in `repairs`, known implausible cells are null and listed in `screened`.
 *
 * @throws KrisisError with up to 20 problems in its message and all of them in `value`, or when the file cannot be read.
 */
export async function readUciFile(path: string): Promise<UciTable> {
  const { problems, ...table } = inspectUciText(await readText(path));
  if (problems.length === 0) return { path, ...table };
  const more = problems.length - MOST_PROBLEMS;
  const lines = [
    `${quoted(path)} has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:`,
    ...problems.slice(0, MOST_PROBLEMS).map((problem) => `  ${problemText(problem)}`),
    ...(more > 0 ? [`  and ${more} more; "krisis validate FILE" lists them all`] : []),
  ];
  throw new KrisisError(lines.join('\n'), { value: problems });
}

/**
 * Says all that is wrong with a file at once, what would be mended and what screened:
 * `const { problems } = await validateUciFile(path)`. An empty list of problems means that `readUciFile` succeeds.
 *
 * @throws KrisisError only when the file cannot be read.
 */
export async function validateUciFile(path: string): Promise<UciValidation> {
  const { rows: _, ...validation } = inspectUciText(await readText(path));
  return validation;
}

async function readText(path: string): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const why =
      code === 'ENOENT'
        ? 'there is no such file'
        : code === 'EISDIR'
          ? 'it is a folder'
          : (code ?? 'unknown');
    throw new KrisisError(`cannot read ${quoted(path)}: ${why}; give the path of a CSV or ARFF file`, {
      value: path,
      cause,
    });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new KrisisError(`cannot read ${quoted(path)}: it is not UTF-8 text; save it as CSV in UTF-8`, {
      value: path,
      cause,
    });
  }
}
