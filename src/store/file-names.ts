import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The names of one file. */
interface FileNames {
  /** The name asked for, with symbolic links resolved. */
  readonly own: string;
  /** All names in the folder (hard links), in alphabetical order. */
  readonly all: readonly string[];
  /** False when the file has names in other folders, too. */
  readonly isComplete: boolean;
}

/** Finds the names of a file, which need not exist yet. */
export function namesOf(path: string): FileNames {
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

/** Whether SQLite has entries of the file, by this name, in a log beside it. */
export function nonEmptyLog(name: string): boolean {
  return (statSync(`${name}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
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
