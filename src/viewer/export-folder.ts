import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { KrisisError } from '../core/index.ts';

/**
 * An export may replace an earlier one, never anything else.
 *
 * @throws KrisisError if the folder has other contents, or holds an export and `force` is not set.
 */
export function checkExportFolder(out: string, force: boolean): void {
  if (!existsSync(out)) return;
  const names = namesIn(out);
  if (names.length === 0) return;
  const isExport = existsSync(join(out, 'data', 'site.js')) && existsSync(join(out, 'index.html'));
  if (!isExport)
    throw new KrisisError(`${out}: is not empty and not an export; choose another folder`, {
      code: 'ERR_EXPORT_FOLDER_INVALID',
      value: out,
    });
  if (!force)
    throw new KrisisError(`${out}: already contains an export`, { code: 'ERR_EXPORT_EXISTS', value: out });
}

function namesIn(out: string): string[] {
  try {
    return readdirSync(out);
  } catch (cause) {
    throw new KrisisError(`${out}: is not a folder; choose another name for the export`, {
      code: 'ERR_EXPORT_FOLDER_INVALID',
      value: out,
      cause,
    });
  }
}

/** Writes a folder elsewhere first and moves it into place when it is complete. Other files there, such as a `.git`, remain. */
export function writeFolder<T>(out: string, write: (staged: string) => T): T {
  const target = resolve(out);
  const exists = existsSync(target);
  // Beside or inside the target, so that moving it does not copy it to another disk.
  mkdirSync(exists ? target : dirname(target), { recursive: true });
  const staged = exists ? join(target, `.partial-${process.pid}`) : `${target}.partial-${process.pid}`;
  mkdirSync(staged);
  try {
    const result = write(staged);
    if (!exists) renameSync(staged, target);
    else
      for (const name of readdirSync(staged).sort(pageLast)) replace(join(staged, name), join(target, name));
    return result;
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
}

function replace(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  renameSync(from, to);
}

/** The page comes last, so that its data are in place when it is loaded. */
function pageLast(a: string, b: string): number {
  return Number(a === 'index.html') - Number(b === 'index.html');
}
