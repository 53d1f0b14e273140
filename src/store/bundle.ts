import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { KrisisError } from '../core/index.ts';
import { RunFile } from './run-file.ts';
import { WriterLock } from './writer-lock.ts';

/** Writes a run as one portable file: a run file by itself, without patient data unless asked. Whole or not at all. */
export function exportBundle(
  runPath: string,
  target: string,
  options: { readonly withFeatures: boolean; readonly force: boolean },
): void {
  if (existsSync(target) && !options.force)
    throw new KrisisError(
      `${target}: exists already; choose another name, or give --force to write over it`,
      { value: target },
    );
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

/** Takes a bundle into the runs folder after looking that it is one. Returns where it lies. */
export function importBundle(bundle: string, folder: string, force: boolean): string {
  const target = join(folder, `${basename(bundle).replace(/\.(db|krisis)$/, '')}.db`);
  if (existsSync(target) && !force)
    throw new KrisisError(`${target}: exists already; give --force to write over it`, { value: target });
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

/** With the log that a killed writer may have left beside the old file: it belongs to that one, and would be played into the new. */
function putInPlace(temporary: string, target: string): void {
  for (const beside of ['-wal', '-shm']) rmSync(`${target}${beside}`, { force: true });
  renameSync(temporary, target);
}
