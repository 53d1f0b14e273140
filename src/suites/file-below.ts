import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { KrisisError } from '../core/errors.ts';
import { quoted } from '../core/plain-text.ts';

/**
 * The path of a file that a suite file names. A suite file may come from anyone, so it may name files below its own folder only, wherever links lead.
 *
 * @throws KrisisError with the code `ERR_SUITE_FILE_OUTSIDE` for any other file. A file that does not exist is reported where it is read.
 */
export function fileBelow(folder: string, file: string, suiteFile: string): string {
  const path = resolve(folder, file);
  const refuse = () =>
    new KrisisError(
      `${suiteFile}: file ${quoted(file)} is outside the folder of the suite; expected a file below ${folder}: move it there, or name it where you load the suite`,
      { code: 'ERR_SUITE_FILE_OUTSIDE', value: file },
    );
  if (!isBelow(resolve(folder), path)) throw refuse();
  if (!existsSync(path)) return path;
  const real = realpathSync(path);
  if (!isBelow(realpathSync(folder), real)) throw refuse();
  return real;
}

function isBelow(folder: string, path: string): boolean {
  const fromFolder = relative(folder, path);
  return fromFolder !== '..' && !fromFolder.startsWith(`..${sep}`) && !isAbsolute(fromFolder);
}
