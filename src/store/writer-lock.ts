import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { KrisisError } from '../core/index.ts';

const PATIENCE_MS = 500;

/**
 * One writer per run file. The lock is a lock of the operating system, held through an empty SQLite file beside the run: it goes with the process however that
 * ends, so a dead writer never blocks the next one.
 */
export class WriterLock {
  readonly #db: DatabaseSync;

  private constructor(db: DatabaseSync) {
    this.#db = db;
  }

  static take(runFile: string): WriterLock {
    // Patient enough for whoever only looks whether the lock is held.
    let db: DatabaseSync | null = null;
    try {
      db = new DatabaseSync(`${runFile}.lock`, { timeout: PATIENCE_MS });
      db.exec('BEGIN EXCLUSIVE');
      return new WriterLock(db);
    } catch (cause) {
      db?.close();
      const what = isBusy(cause)
        ? 'another process is writing this run; wait for it to end, or start another run with --new'
        : `cannot be written: ${(cause as Error).message}`;
      throw new KrisisError(`${runFile}: ${what}`, { value: runFile, cause });
    }
  }

  /** Whether somebody is writing this run now. */
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

  /** The empty file stays: taking it away could let two writers lock two files of the same name. */
  release(): void {
    this.#db.exec('ROLLBACK');
    this.#db.close();
  }
}

function isBusy(error: unknown): boolean {
  return (error as { errcode?: number }).errcode === 5;
}
