import { existsSync } from 'node:fs';
import { sep } from 'node:path';
import { KrisisError } from '../core/errors.ts';

/** Removes the folders from messages of errors, since a page may be shared: file names are enough. Reports a file that was deleted while it was read as deleted, not as damaged. */
export function hidePaths<T>(folders: readonly string[], work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof KrisisError)) throw error;
    const { value, code } = error;
    const message = folders.reduce(
      (text, folder) => text.replaceAll(`${folder}${sep}`, '').replaceAll(folder, '.'),
      error.message,
    );
    const isHere = typeof value === 'string' && folders.some((folder) => value.startsWith(folder));
    if (isHere && !existsSync(value))
      throw new KrisisError(`${message.split(':')[0]}: was deleted; see the list of runs`, {
        code: 'ERR_RUN_NOT_FOUND',
        cause: error,
      });
    throw new KrisisError(message, { code, cause: error });
  }
}
