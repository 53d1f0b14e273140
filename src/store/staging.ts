import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { isOwn, PRIVATE_FOLDER_MODE } from '../core/file-owner.ts';

/** The name of a staging folder: `.TARGET.partial-RANDOM`. */
const STAGING_NAME = /^\..+\.partial-[0-9a-f]{16}$/;
/** The name of a folder that is not locked yet. */
const STARTING_NAME = /^\..+\.starting-[0-9a-f]{16}$/;
/** A process needs milliseconds to lock its folder. */
const MAX_STARTING_MS = 60_000;
const LOCK = 'lock';
/** File names have at most 255 bytes, and a character up to four. */
const MAX_NAME = 40;

/** A private folder beside a target, in which its replacement is written before it is moved into place. */
export interface Staging {
  /** Where to write the target. */
  readonly path: string;
  /** Where to write another file under its own name. */
  join(name: string): string;
  /** Removes the folder and everything in it. */
  remove(): void;
}

/**
 * Creates a folder beside `target` that only the user may open, on the same disk, so that moving a file from there into place is one step. First removes the folders of processes that died.
 * The lock of the operating system in each folder shows whether its process is alive: a process id could be that of another process by now, or of another container.
 *
 * @throws an error of the operating system where nothing can be created beside the target.
 */
export function stageBeside(target: string): Staging {
  removeAbandoned(dirname(target));
  const name = basename(target).slice(0, MAX_NAME);
  const end = `-${randomBytes(8).toString('hex')}`;
  const folder = join(dirname(target), `.${name}.partial${end}`);
  // The folder gets its name when it is locked, or another process could take it for an abandoned one. Windows moves no folder with an open file.
  const start = process.platform === 'win32' ? folder : join(dirname(target), `.${name}.starting${end}`);
  mkdirSync(start, { mode: PRIVATE_FOLDER_MODE });
  const lock = takeLock(join(start, LOCK), 'rwc');
  if (start !== folder) renameSync(start, folder);
  return {
    path: join(folder, basename(target)),
    join: (file) => join(folder, file),
    remove: () => removeLocked(folder, lock),
  };
}

/** Removes staging folders of this user whose processes died. */
export function removeAbandoned(parent: string): void {
  for (const name of namesIn(parent)) {
    const isStarting = STARTING_NAME.test(name);
    if (!isStarting && !STAGING_NAME.test(name)) continue;
    const folder = join(parent, name);
    const stats = lstatSync(folder, { throwIfNoEntry: false });
    if (stats === undefined || !stats.isDirectory() || !isOwn(stats)) continue;
    if (isStarting && Date.now() - stats.mtimeMs < MAX_STARTING_MS) continue;
    const lock = takeLock(join(folder, LOCK), 'rw');
    if (lock !== null) removeLocked(folder, lock);
  }
}

/** Removes a folder; links in it are not followed. The lock is held until it is gone, so that no one else removes it at the same time; Windows removes no open file. */
function removeLocked(folder: string, lock: DatabaseSync | null): void {
  if (process.platform === 'win32') lock?.close();
  try {
    rmSync(folder, { recursive: true, force: true });
  } finally {
    if (lock?.isOpen) lock.close();
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // The code that creates the folder explains what is wrong with the parent.
    return [];
  }
}

/** Locks a staging folder; null where another process holds the lock or has removed it. Only the process that creates the folder (`rwc`) creates the lock. */
function takeLock(path: string, mode: 'rw' | 'rwc'): DatabaseSync | null {
  let db: DatabaseSync | null = null;
  try {
    const url = pathToFileURL(path);
    url.searchParams.set('mode', mode);
    db = new DatabaseSync(url);
    db.exec('BEGIN EXCLUSIVE');
    if (existsSync(path)) return db;
  } catch {}
  db?.close();
  return null;
}
