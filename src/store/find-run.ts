import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { KrisisError } from '../core/errors.ts';
import { didYouMean } from '../core/near-names.ts';
import { fileError } from './file-errors.ts';
import { listRuns, RUNS_FOLDER, runNames } from './list-runs.ts';

const LATEST = 'latest';
/** An ambiguous name lists this many runs. */
const MAX_LISTED = 20;

/**
 * Finds the run file a user means: by path; by the name of a run in `folder`, its beginning, or another part of it that only one run has; or `latest`, the run that was
 * started last. `other/folder/NAME` looks in that folder.
 */
export function findRun(typed: string, folder = RUNS_FOLDER): string {
  for (const candidate of [typed, join(folder, typed), join(folder, `${typed}.db`), `${typed}.db`])
    if (statSync(candidate, { throwIfNoEntry: false })?.isDirectory() === false) return candidate;
  const inFolder = /[\\/]/.test(typed) ? dirname(typed) : folder;
  const name = basename(typed);
  const names = runNames(inFolder);
  const newest = name === LATEST ? listRuns(inFolder).runs[0] : undefined;
  if (newest !== undefined) return newest.path;
  const beginning = names.filter((one) => one.startsWith(name));
  const fitting = beginning.length > 0 ? beginning : names.filter((one) => one.includes(name));
  if (fitting.length === 1) return join(inFolder, `${fitting[0]}.db`);
  if (fitting.length > 1) throw ambiguous(typed, inFolder, fitting);
  // A folder is refused where it is opened, with a message of its own.
  if (existsSync(typed)) return typed;
  const near = names.length === 0 ? '' : `; ${didYouMean(name, [...names, LATEST], MAX_LISTED)}`;
  throw fileError(typed, `no such run${near}`, 'ERR_RUN_NOT_FOUND');
}

function ambiguous(typed: string, folder: string, fitting: readonly string[]): KrisisError {
  const listed = fitting.slice(0, MAX_LISTED).map((name) => `\n  ${join(folder, `${name}.db`)}`);
  const rest = fitting.length > MAX_LISTED ? `\n  and ${fitting.length - MAX_LISTED} more` : '';
  const what = `${fitting.length} runs match; name one of them:${listed.join('')}${rest}`;
  return fileError(typed, what, 'ERR_RUN_AMBIGUOUS');
}

/** The runs that belong with the newest one in a folder: those of the same suite (the same hash), the newest of each model and arm, oldest first. */
export function lastRuns(folder = RUNS_FOLDER): string[] {
  const [newest, ...others] = listRuns(folder).runs;
  if (newest === undefined) return [];
  const alike = others.filter(
    ({ suite, suiteHash }) => suite === newest.suite && suiteHash === newest.suiteHash,
  );
  const byModel = Map.groupBy([newest, ...alike], ({ model, arm }) => JSON.stringify([model, arm]));
  return [...byModel.values()].map(([first]) => first!.path).reverse();
}
