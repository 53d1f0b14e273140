import { existsSync } from 'node:fs';
import { sep } from 'node:path';
import { KrisisError } from '../core/index.ts';

/** Removes the folder from messages of errors, since a page may be shared: file names are enough. Reports a file that was deleted while it was read as deleted, not as damaged. */
export function hidePaths<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof KrisisError)) throw error;
    const { value, code } = error;
    const message = error.message.replaceAll(`${folder}${sep}`, '').replaceAll(folder, '.');
    if (typeof value === 'string' && value.startsWith(folder) && !existsSync(value))
      throw new KrisisError(`${message.split(':')[0]}: was deleted; see the list of runs`, {
        code: 'ERR_RUN_NOT_FOUND',
        cause: error,
      });
    throw new KrisisError(message, { code, cause: error });
  }
}
