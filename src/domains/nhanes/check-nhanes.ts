import { KrisisError } from '../../core/index.ts';
import type { DataFileReport } from '../domain.ts';
import { readNhanes } from './read-nhanes.ts';

/** What a task makes of NHANES files. */
type ReadPeople = (paths: string) => Promise<{
  readonly people: readonly unknown[];
  readonly excluded: ReadonlyMap<string, number>;
}>;

const TOGETHER = 'Files that belong together are given at once, with commas between them.';

/**
 * Whether a task can use NHANES files, with how many people, and who is left out and why. A file that lacks what the task needs is no problem: it may be one of several.
 *
 * @throws KrisisError with the code `ERR_FILE_UNREADABLE` or `ERR_DATA_FILE` where a file cannot be read, or is not a file of the survey.
 */
export async function checkNhanes(path: string, task: string, read: ReadPeople): Promise<DataFileReport> {
  const rows = (await readNhanes(path, [])).rows.length;
  const text = [`NHANES, joined by SEQN: ${rows} ${rows === 1 ? 'person' : 'people'}.`];
  const found = await attempt(() => read(path));
  if (typeof found === 'string')
    return {
      problems: [],
      text: [...text, TOGETHER, `${task} needs more: ${found}.`],
      json: { rows, [task]: { records: 0, left_out: {}, needs: found } },
    };
  const { people, excluded } = found;
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
