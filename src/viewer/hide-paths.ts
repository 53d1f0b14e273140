import { existsSync } from 'node:fs';
import { sep } from 'node:path';
import { KrisisError } from '../core/index.ts';
import { notFound } from './not-found.ts';

/** Where a folder lies on the disk is not for a page, which may be shared: file names are enough. And a file that was deleted while it was looked at is no damaged one. */
export function hidePaths<Args extends readonly unknown[], T>(
  folder: string,
  work: (...args: Args) => T,
): (...args: Args) => T {
  return (...args) => {
    try {
      return work(...args);
    } catch (error) {
      if (!(error instanceof KrisisError)) throw error;
      const message = error.message.replaceAll(`${folder}${sep}`, '').replaceAll(folder, '.');
      if (typeof error.value === 'string' && error.value.startsWith(folder) && !existsSync(error.value))
        throw notFound(`${message.split(':')[0]}: was deleted; the list of runs shows those there are`);
      throw new KrisisError(message, { code: error.code, cause: error });
    }
  };
}
