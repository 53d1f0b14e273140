import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { KrisisError } from '../core/index.ts';

const PATIENCE_MS = 500;

/**
 * One writer per run file. The lock is a lock of the operating system, held through an empty SQLite file beside the run: it ends with its process, however that
 * ends, so a dead writer never blocks the next one.
 */
export class WriterLock {
  readonly #db: DatabaseSync;

  private constructor(db: DatabaseSync) {
    this.#db = db;
  }

  static take(runFile: string): WriterLock {
    // Waits out a process that only checks whether the lock is held.
    let db: DatabaseSync | null = null;
    try {
      db = new DatabaseSync(`${runFile}.lock`, { timeout: PATIENCE_MS });
      db.exec('BEGIN EXCLUSIVE');
      return new WriterLock(db);
    } catch (cause) {
      db?.close();
      const busy = isBusy(cause);
      const what = busy
        ? 'another process is writing this run'
        : `cannot be written: ${(cause as Error).message}`;
      const code = busy ? 'ERR_RUN_BUSY' : 'ERR_RUN_FILE';
      throw new KrisisError(`${runFile}: ${what}`, { code, value: runFile, cause });
    }
  }

  /** Whether a process is writing this run now. */
  static isHeld(runFile: string): boolean {
    const path = `${runFile}.lock`;
    if (!existsSync(path)) return false;
    const db = new DatabaseSync(path, { readOnly: true });
    try {
      db.prepare('SELECT 1 FROM sqlite_schema').get();
      return false;
    } catch (error) {
      return isBusy(error);
    } finally {
      db.close();
    }
  }

  /** The empty file stays: removing it could let two writers lock two files of the same name. */
  release(): void {
    this.#db.exec('ROLLBACK');
    this.#db.close();
  }
}

function isBusy(error: unknown): boolean {
  return (error as { errcode?: number }).errcode === 5;
}
