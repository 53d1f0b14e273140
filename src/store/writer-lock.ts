import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { fileError, SQLITE_BUSY, sqliteCode } from './file-errors.ts';
import { checkRunFiles, findFileNames, nonEmptyLog } from './file-names.ts';

const PATIENCE_MS = 500;

/**
 * One writer per run file. The lock is a lock of the operating system, held through an empty SQLite file beside the run: it ends with its process, however that
 * ends, so a dead writer never blocks the next one. A file with several names has a lock for each of them.
 */
export class WriterLock {
  readonly #locks: readonly DatabaseSync[];

  private constructor(locks: readonly DatabaseSync[]) {
    this.#locks = locks;
  }

  static take(runFile: string): WriterLock {
    const { own, all, isComplete } = checkRunFiles(runFile);
    const lock = new WriterLock(takeAll(runFile, all));
    const refuse = (why: string) => {
      lock.release();
      throw fileError(runFile, why, 'ERR_RUN_FILE');
    };
    // SQLite keeps the newest rows in a log under the name that a file was opened by: writing by another name would overwrite them.
    const hot = all.find((name) => name !== own && nonEmptyLog(name));
    if (hot !== undefined)
      refuse(`is also named ${hot}, and was last written by that name; continue it there`);
    if (!isComplete)
      refuse(
        'has another name (a hard link) in another folder, where it may be being written; copy it first',
      );
    return lock;
  }

  /** Whether a process is writing this run now. */
  static isHeld(runFile: string, { all } = findFileNames(runFile)): boolean {
    return all.some(isLocked);
  }

  /** The empty files stay: removing one could let two writers lock two files of the same name. */
  release(): void {
    for (const db of this.#locks) {
      db.exec('ROLLBACK');
      db.close();
    }
  }
}

function takeAll(runFile: string, names: readonly string[]): DatabaseSync[] {
  const taken: DatabaseSync[] = [];
  let db: DatabaseSync | null = null;
  try {
    for (const name of names) {
      // Waits out a process that only checks whether the lock is held.
      db = new DatabaseSync(`${name}.lock`, { timeout: PATIENCE_MS });
      db.exec('BEGIN EXCLUSIVE');
      taken.push(db);
      db = null;
    }
    return taken;
  } catch (cause) {
    db?.close();
    for (const other of taken) other.close();
    if (sqliteCode(cause) === SQLITE_BUSY)
      throw fileError(runFile, 'another process is writing this run', 'ERR_RUN_BUSY', cause);
    throw fileError(runFile, `cannot be written: ${(cause as Error).message}`, 'ERR_RUN_FILE', cause);
  }
}

function isLocked(name: string): boolean {
  const path = `${name}.lock`;
  // A pipe of this name would be waited for, without end.
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    db.prepare('SELECT 1 FROM sqlite_schema').get();
    return false;
  } catch (error) {
    return sqliteCode(error) === SQLITE_BUSY;
  } finally {
    db.close();
  }
}
