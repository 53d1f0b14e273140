import { closeSync, lstatSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isOwn, isPrivate, PRIVATE_MODE } from '../core/file-owner.ts';
import { fileError } from './file-errors.ts';
import { SIDE_FILES } from './file-names.ts';

/**
 * Makes sure that there is a database which only the user may read, and creates an empty file where there is none. SQLite opens it as an empty database and gives the files beside it (`-wal`,
 * `-shm`) the same mode; changing the mode afterwards would leave a moment in which others can open them.
 *
 * @throws KrisisError where an existing file is a link, belongs to another user, or can be read by others.
 */
export function createPrivate(path: string): void {
  checkPrivate(path);
  checkFolder(dirname(path));
  try {
    closeSync(openSync(path, 'wx', PRIVATE_MODE));
  } catch (error) {
    // Any other error is explained by the code that opens the file next.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') checkPrivate(path);
  }
}

/** @throws KrisisError where others could read what is written to a database or the files beside it. Names without a file are fine. */
export function checkPrivate(path: string): void {
  for (const end of ['', ...SIDE_FILES]) checkFile(`${path}${end}`);
}

function checkFile(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || isPrivate(stats)) return;
  const refuse = (what: string) => {
    throw fileError(path, what, 'ERR_FILE_NOT_PRIVATE');
  };
  if (!stats.isFile())
    refuse('protected data are written to regular files only, not through a link; choose another name');
  if (!isOwn(stats))
    refuse('belongs to another user, who could read protected data in it; choose another name');
  refuse(`other users can open it, and protected data would be written to it; run chmod 600 ${path}`);
}

/**
 * In a folder where others can delete files, another user can put a file of their own in the place of ours before SQLite opens it, and
 * read everything that is written to it. The sticky bit prevents that.
 */
function checkFolder(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || process.platform === 'win32') return;
  const { mode, uid, gid } = stats;
  const isSticky = (mode & 0o1000) !== 0;
  const isForeign = uid !== 0 && !isOwn(stats);
  const isShared = (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && gid !== process.getgid?.());
  if (isForeign || (isShared && !isSticky))
    throw fileError(
      path,
      'other users can replace files in this folder, and so read protected data; choose a folder that only you can write to',
      'ERR_FILE_NOT_PRIVATE',
    );
}
