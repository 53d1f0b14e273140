import { closeSync, openSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { KrisisError } from '../core/errors.ts';
import { PRIVATE_MODE } from '../core/file-owner.ts';
import { fileError } from './file-errors.ts';
import { findFileNames, nextFreePath } from './file-names.ts';

const CHECK_EVERY_MS = 250;

/**
 * Notices that an open run file is no longer where it was: deleted, renamed or replaced. SQLite would go on writing into a file that no one can find. The rows are still there while it is
 * open, so they are saved beside its old place first.
 */
export class FilePlace {
  readonly #path: string;
  readonly #db: DatabaseSync;
  readonly #file: string;
  readonly #identity: string | null;
  readonly #mode: number;
  #logIdentity: string | null = null;
  #checkedAt = performance.now();
  #lost: { readonly error: KrisisError; readonly copy: string } | null = null;

  constructor(path: string, db: DatabaseSync) {
    this.#path = path;
    this.#db = db;
    this.#file = findFileNames(path).own;
    this.#identity = readIdentity(this.#file);
    this.#mode = (statSync(this.#file, { throwIfNoEntry: false })?.mode ?? PRIVATE_MODE) & 0o666;
  }

  checkNowAndThen(): void {
    if (performance.now() - this.#checkedAt > CHECK_EVERY_MS) this.check();
  }

  /** @throws KrisisError when the file is gone. */
  check(): void {
    this.#checkedAt = performance.now();
    if (this.#lost !== null) throw this.#lost.error;
    const log = readIdentity(`${this.#file}-wal`);
    this.#logIdentity ??= log;
    if (readIdentity(this.#file) === this.#identity && log === this.#logIdentity) return;
    const copy = nextFreePath(`${this.#path.replace(/\.db$/, '')}.saved.db`);
    this.#lost = { error: this.#gone(`what it held is saved as ${copy}`), copy };
    throw this.#lost.error;
  }

  /** For the end of writing: calls in flight have returned. */
  checkAndSave(): void {
    try {
      this.check();
    } finally {
      if (this.#lost !== null) this.#save(this.#lost.copy);
    }
  }

  #save(copy: string): void {
    try {
      // With the permissions of the file that is gone: SQLite would create one that everyone can read.
      closeSync(openSync(copy, 'wx', this.#mode));
      this.#db.prepare('VACUUM INTO ?').run(copy);
    } catch (error) {
      throw this.#gone(`what it held could not be saved: ${(error as Error).message}`);
    }
  }

  #gone(saved: string): KrisisError {
    const what = `was deleted, renamed or replaced while it was being written; ${saved}`;
    return fileError(this.#path, what, 'ERR_RUN_FILE_GONE');
  }
}

function readIdentity(path: string): string | null {
  const file = statSync(path, { throwIfNoEntry: false });
  return file === undefined ? null : `${file.dev}:${file.ino}`;
}
