import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { didYouMean, type KrisisError } from '../core/index.ts';
import { fileError } from './file-errors.ts';
import { listRuns } from './list-runs.ts';
import { isReviewPath } from './review/review-file.ts';

export const RUNS_FOLDER = '.krisis/runs';
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

/** The names of the runs in a folder, in alphabetical order. */
export function runNames(folder = RUNS_FOLDER): string[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  const files = readdirSync(folder).filter((name) => name.endsWith('.db') && !isReviewPath(name));
  return files.map((name) => name.slice(0, -'.db'.length)).sort();
}

function ambiguous(typed: string, folder: string, fitting: readonly string[]): KrisisError {
  const listed = fitting.slice(0, MAX_LISTED).map((name) => `\n  ${join(folder, `${name}.db`)}`);
  const rest = fitting.length > MAX_LISTED ? `\n  and ${fitting.length - MAX_LISTED} more` : '';
  const what = `${fitting.length} runs match; name one of them:${listed.join('')}${rest}`;
  return fileError(typed, what, 'ERR_RUN_AMBIGUOUS');
}
