import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { KrisisError } from '../core/index.ts';
import { RunFile } from './run-file.ts';
import { WriterLock } from './writer-lock.ts';

/** Writes a run as one portable file; features only if `withFeatures` is set. The file is written whole or not at all. */
export function exportBundle(
  runPath: string,
  target: string,
  options: { readonly withFeatures: boolean; readonly force: boolean },
): void {
  if (existsSync(target) && !options.force) throw exists(target);
  const temporary = `${target}.${process.pid}.tmp`;
  const file = RunFile.read(runPath);
  try {
    if (dirname(target) !== '.') mkdirSync(dirname(target), { recursive: true });
    rmSync(temporary, { force: true });
    file.copyTo(temporary, options.withFeatures);
    putInPlace(temporary, target);
  } finally {
    rmSync(temporary, { force: true });
    file.close();
  }
}

/** Checks a bundle and copies it into the runs folder. Returns its path there. */
export function importBundle(bundle: string, folder: string, force: boolean): string {
  const target = join(folder, `${basename(bundle).replace(/\.(db|krisis)$/, '')}.db`);
  if (existsSync(target) && !force) throw exists(target);
  const temporary = `${target}.${process.pid}.tmp`;
  const file = RunFile.read(bundle);
  try {
    mkdirSync(folder, { recursive: true });
    const lock = WriterLock.take(target);
    try {
      rmSync(temporary, { force: true });
      file.copyTo(temporary, true);
      putInPlace(temporary, target);
    } finally {
      lock.release();
    }
    return target;
  } finally {
    rmSync(temporary, { force: true });
    file.close();
  }
}

/** Removes the log that a killed writer may have left beside the old file: SQLite would apply it to the new one. */
function putInPlace(temporary: string, target: string): void {
  for (const beside of ['-wal', '-shm']) rmSync(`${target}${beside}`, { force: true });
  renameSync(temporary, target);
}

function exists(target: string): KrisisError {
  return new KrisisError(`${target}: exists already`, { code: 'ERR_FILE_EXISTS', value: target });
}
