import { lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileError } from './file-errors.ts';
import { queryRun } from './open-database.ts';
import { copyReview, reviewPath } from './review/review-file.ts';
import { RunFile } from './run-file.ts';
import { stageBeside } from './staging.ts';
import { WriterLock } from './writer-lock.ts';

interface BundleOptions {
  /** Overwrite existing files. */
  readonly force: boolean;
  /** The bundle's file of reviewers' labels, which is written or read with it. Default: none. */
  readonly review?: string | undefined;
}

/** Writes a run as one portable file; features only if `withFeatures` is set. Everything is written, or nothing. */
export function exportBundle(
  runPath: string,
  target: string,
  options: BundleOptions & { readonly withFeatures: boolean },
): void {
  copyRun(runPath, target, options, false);
}

/**
 * Checks a bundle, every page of it, and its labels, and copies them into the runs folder. Where anything is wrong, nothing is written. Returns the path of the run there. Whether it was changed
 * since it was written, `verifyRun` says.
 */
export function importBundle(bundle: string, folder: string, options: BundleOptions): string {
  const target = join(folder, `${basename(bundle).replace(/\.(db|krisis)$/, '')}.db`);
  if (isTaken(bundle)) queryRun(bundle, () => {}, { isForeign: true });
  copyRun(bundle, target, { ...options, withFeatures: true }, true);
  return target;
}

function copyRun(
  source: string,
  target: string,
  { withFeatures, force, review }: BundleOptions & { readonly withFeatures: boolean },
  isImport: boolean,
): void {
  const [from, to] = isImport ? [review, reviewPath(target)] : [reviewPath(source), review];
  const labels = from === undefined || to === undefined ? null : { from, to };
  for (const path of labels === null ? [target] : [target, labels.to]) checkTarget(path, force);
  const file = RunFile.read(source);
  let lock: WriterLock | null = null;
  try {
    mkdirSync(dirname(target), { recursive: true });
    if (isImport) lock = WriterLock.take(target);
    const staging = stageBeside(target);
    try {
      const moves = [{ from: staging.path, to: target }];
      file.copyTo(staging.path, withFeatures);
      if (labels !== null) {
        const copy = staging.join('labels');
        copyReview(labels.from, copy, file.manifest().runId);
        moves.push({ from: copy, to: labels.to });
      }
      putInPlace(moves);
    } finally {
      staging.remove();
    }
  } finally {
    lock?.release();
    file.close();
  }
}

/** Whether there is anything of this name, even a link that leads nowhere. */
function isTaken(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function checkTarget(path: string, force: boolean): void {
  if (isTaken(path) && !force) throw fileError(path, 'already exists', 'ERR_FILE_EXISTS');
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw fileError(path, 'is a folder; choose another name', 'ERR_FILE_EXISTS');
}

/** Moves all files into place, or none of those that are new. */
function putInPlace(moves: readonly { readonly from: string; readonly to: string }[]): void {
  const created: string[] = [];
  try {
    for (const { from, to } of moves) {
      if (!isTaken(to)) created.push(to);
      // SQLite would apply the log of a killed writer of the old file to the new one.
      for (const end of ['-wal', '-shm']) rmSync(`${to}${end}`, { force: true });
      renameSync(from, to);
    }
  } catch (error) {
    for (const path of created) rmSync(path, { force: true });
    throw error;
  }
}
