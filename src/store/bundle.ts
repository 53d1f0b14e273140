import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { KrisisError } from '../core/index.ts';
import { queryRun } from './queries/query-run.ts';
import { RunFile } from './run-file.ts';
import { WriterLock } from './writer-lock.ts';

/** Writes a run as one portable file; features only if `withFeatures` is set. The file is written whole or not at all. */
export function exportBundle(
  runPath: string,
  target: string,
  options: { readonly withFeatures: boolean; readonly force: boolean },
): void {
  copyRun(runPath, target, options);
}

/** Checks a bundle, every page of it, and copies it into the runs folder. Returns its path there. Whether it was changed since it was written, `verifyRun` says. */
export function importBundle(bundle: string, folder: string, force: boolean): string {
  const target = join(folder, `${basename(bundle).replace(/\.(db|krisis)$/, '')}.db`);
  if (existsSync(bundle)) queryRun(bundle, () => {}, { isForeign: true });
  copyRun(bundle, target, { withFeatures: true, force, lock: () => WriterLock.take(target) });
  return target;
}

function copyRun(
  source: string,
  target: string,
  { withFeatures, force, lock }: { withFeatures: boolean; force: boolean; lock?: () => WriterLock },
): void {
  if (existsSync(target) && !force)
    throw new KrisisError(`${target}: exists already`, { code: 'ERR_FILE_EXISTS', value: target });
  const temporary = `${target}.${process.pid}.tmp`;
  const file = RunFile.read(source);
  let held: WriterLock | undefined;
  try {
    mkdirSync(dirname(target), { recursive: true });
    held = lock?.();
    rmSync(temporary, { force: true });
    file.copyTo(temporary, withFeatures);
    putInPlace(temporary, target);
  } finally {
    held?.release();
    rmSync(temporary, { force: true });
    file.close();
  }
}

/** Removes the log that a killed writer may have left beside the old file: SQLite would apply it to the new one. */
function putInPlace(temporary: string, target: string): void {
  for (const beside of ['-wal', '-shm']) rmSync(`${target}${beside}`, { force: true });
  renameSync(temporary, target);
}
