import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { KrisisError } from '../core/index.ts';
import { isOwn, PRIVATE_FOLDER_MODE, removeAbandoned, stageBeside } from '../store/index.ts';

/**
 * An export may replace an earlier one, never anything else.
 *
 * @throws KrisisError if the folder has other contents, or holds an export and `force` is not set.
 */
export function checkExportFolder(out: string, force: boolean): void {
  removeAbandoned(dirname(realPath(out)));
  if (lstatSync(out, { throwIfNoEntry: false }) === undefined) return;
  removeAbandoned(out);
  const names = namesIn(out);
  const partial = names.find((name) => name.includes('.partial-'));
  if (partial !== undefined)
    throw new KrisisError(
      `${out}: holds ${partial}, an unfinished export; wait for the process that writes it, or remove it`,
      { code: 'ERR_EXPORT_FOLDER_INVALID', value: out },
    );
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

/**
 * Writes a folder in a private place beside `out`, and moves it into place when it is complete. Other files there, such as a `.git`, remain. What earlier exports left behind when they were
 * killed is removed first, since they may have held text that this one leaves out.
 */
export function writeFolder<T>(
  out: string,
  write: (staged: string) => T,
  { isPrivate }: { readonly isPrivate: boolean },
): T {
  const target = realPath(out);
  mkdirSync(dirname(target), { recursive: true });
  const staging = stageBeside(target);
  try {
    mkdirSync(staging.path, isPrivate ? { mode: PRIVATE_FOLDER_MODE } : {});
    const result = write(staging.path);
    if (!existsSync(target)) renameSync(staging.path, target);
    else {
      if (isPrivate) makePrivate(target);
      for (const name of readdirSync(staging.path).sort(pageLast)) {
        const place = join(target, name);
        // Moved away in one step: removing a large folder takes time, in which the export would be incomplete.
        if (existsSync(place)) renameSync(place, staging.join(`replaced-${name}`));
        renameSync(join(staging.path, name), place);
      }
    }
    return result;
  } finally {
    staging.remove();
  }
}

function makePrivate(folder: string): void {
  if (!isOwn(statSync(folder)))
    throw new KrisisError(`${folder}: belongs to another user; choose another folder for protected text`, {
      code: 'ERR_FILE_NOT_PRIVATE',
      value: folder,
    });
  chmodSync(folder, PRIVATE_FOLDER_MODE);
}

/** Where a folder is, so that its replacement is written on the same disk. */
function realPath(out: string): string {
  return existsSync(out) ? realpathSync(out) : resolve(out);
}

/** The page comes last, so that its data are in place when it is loaded. */
function pageLast(a: string, b: string): number {
  return Number(a === 'index.html') - Number(b === 'index.html');
}
