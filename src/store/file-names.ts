import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileError } from './file-errors.ts';

/** How the names of the files that belong to a run file end. */
export const SIDE_FILES = ['-wal', '-shm', '-journal', '.lock'] as const;

/**
 * Finds the names of a file, which need not exist yet: `own` is the name asked for, with symbolic links resolved; `all` are all names in
 * the folder (hard links), in alphabetical order. `isComplete` is false when the file has names in other folders, too.
 */
export function findFileNames(path: string) {
  const own = realPath(path);
  const file = statSync(own, { throwIfNoEntry: false });
  if (file === undefined || file.nlink === 1) return { own, all: [own], isComplete: true };
  const folder = dirname(own);
  const all = readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((name) => {
      const other = statSync(name, { throwIfNoEntry: false });
      return other?.ino === file.ino && other.dev === file.dev && realPath(name) === name;
    })
    .sort();
  return { own, all, isComplete: all.length >= file.nlink };
}

/**
 * Refuses what is not a regular file under the names of a run file: a pipe or a device would be waited for without end, and a link without a target would create a file elsewhere.
 *
 * Returns the names of the file. Names without a file are fine.
 *
 * @throws KrisisError with the code `ERR_RUN_FILE`.
 */
export function checkRunFiles(path: string) {
  checkIsFile(path, true);
  const names = findFileNames(path);
  for (const end of SIDE_FILES) checkIsFile(`${names.own}${end}`, false);
  return names;
}

function checkIsFile(path: string, mayBeLink: boolean): void {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (entry === undefined || entry.isFile()) return;
  const target = statSync(path, { throwIfNoEntry: false });
  if (target?.isFile() && mayBeLink) return;
  const what =
    target === undefined
      ? 'a link to a file that does not exist; remove the link, or choose another name'
      : target.isDirectory()
        ? 'a folder'
        : 'not a regular file';
  throw fileError(path, `cannot be opened as a run file: it is ${what}`, 'ERR_RUN_FILE');
}

/** Whether SQLite has entries of the file, by this name, in a log beside it. */
export function nonEmptyLog(name: string): boolean {
  return (statSync(`${name}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** The size of a file together with its logs, in bytes. */
export function fileSize(path: string): number {
  const parts = [path, ...findFileNames(path).all.map((name) => `${name}-wal`)];
  return parts.reduce((sum, part) => sum + (statSync(part, { throwIfNoEntry: false })?.size ?? 0), 0);
}

/** The path with symbolic links resolved, also where the last part does not exist yet. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    try {
      return join(realpathSync(dirname(path)), basename(path));
    } catch {
      return path;
    }
  }
}

/**
 * Says which file is under a name, and in which state: it differs once the file or its log was written or replaced. Nobody but root can
 * set the time of the last change.
 */
export function fileIdentity(path: string): string {
  return [path, `${path}-wal`]
    .map((name) => {
      const stats = statSync(name, { throwIfNoEntry: false, bigint: true });
      return stats && [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(':');
    })
    .join(' ');
}

/** The first path of this name that does not exist: `x.db`, `x-2.db`, `x-3.db`. */
export function nextFreePath(path: string): string {
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? path : path.replace(/\.db$/, `-${n}.db`);
    if (lstatSync(candidate, { throwIfNoEntry: false }) === undefined) return candidate;
  }
}
