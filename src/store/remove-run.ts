import { existsSync, rmSync } from 'node:fs';
import { reviewPath } from './review/review-file.ts';
import { looksPath } from './run-looks.ts';
import { notesPath } from './run-notes.ts';
import { WriterLock } from './writer-lock.ts';

/** The files of one run that exist: the run file with its logs, and what is kept beside it. */
export function filesOfRun(run: string): string[] {
  const review = reviewPath(run);
  // The run file goes last but for the lock: what an interrupted removal leaves is still a run.
  return [
    notesPath(run),
    looksPath(run),
    ...[review, `${review}-wal`, `${review}-shm`, `${review}.lock`],
    run,
    `${run}-wal`,
    `${run}-shm`,
    `${run}.lock`,
  ].filter((path) => existsSync(path));
}

/**
 * Deletes a run with everything beside it, and returns the deleted files.
 *
 * @throws KrisisError with `ERR_RUN_BUSY` if a process is writing the run.
 */
export function removeRun(run: string): string[] {
  const lock = WriterLock.take(run);
  try {
    const files = filesOfRun(run);
    for (const path of files) rmSync(path, { force: true });
    return files.filter((path) => !path.endsWith('.lock'));
  } finally {
    lock.release();
  }
}
