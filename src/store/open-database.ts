import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { type ErrorCode, KrisisError } from '../core/index.ts';
import { APPLICATION_ID, addViews, migrate, OLDEST_READABLE, SCHEMA_VERSION } from './schema.ts';
import { WriterLock } from './writer-lock.ts';

/** Opens a file after checking that it is a run file. With `mayBeEmpty`, so is a new file, or one whose writer was killed before the first entry. */
export function openDatabase(
  path: string,
  { forWriting, mayBeEmpty }: { readonly forWriting: boolean; readonly mayBeEmpty: boolean },
): DatabaseSync {
  let db: DatabaseSync | null = null;
  try {
    db = new DatabaseSync(forWriting ? path : toRead(path), { readOnly: !forWriting });
    db.exec('PRAGMA busy_timeout = 5000');
    const version = check(path, db, mayBeEmpty);
    if (forWriting) {
      // Pages change again and again before a run ends: copying them back every 16 MB instead of every 4 saves most of that.
      db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000');
      migrate(db);
    }
    if (forWriting || version > 0) addViews(db, forWriting ? SCHEMA_VERSION : version);
    return db;
  } catch (error) {
    db?.close();
    throw error instanceof KrisisError ? error : damaged(path, error);
  }
}

/**
 * A file without a writer is opened as immutable: otherwise SQLite creates two files beside it even for reading, and cannot read in a folder where it may not. A file with a log is
 * being written, or its writer was killed: the log is part of it.
 */
function toRead(path: string): string | URL {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if ((log !== undefined && log.size > 0) || WriterLock.isHeld(path)) return path;
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  return url;
}

/** The schema of the file; 0 for an empty one. */
function check(path: string, db: DatabaseSync, mayBeEmpty: boolean): number {
  const wrong = (what: string, code: ErrorCode = 'ERR_RUN_FILE') =>
    new KrisisError(`${path}: ${what}`, { code, value: path });
  const read = (sql: string) => Number(Object.values(db.prepare(sql).get()!)[0]);
  const application = read('PRAGMA application_id');
  const version = read('PRAGMA user_version');
  const isEmpty = application === 0 && version === 0 && read('SELECT count(*) FROM sqlite_schema') === 0;
  if (isEmpty && mayBeEmpty) return 0;
  if (isEmpty) throw wrong('is empty; there is no run in it yet');
  if (application !== APPLICATION_ID) throw wrong('is not a Krisis run file');
  if (version > SCHEMA_VERSION)
    throw wrong(
      `was written by a newer Krisis (schema ${version}, this one knows ${SCHEMA_VERSION}); update krisis to read it`,
      'ERR_RUN_FILE_NEWER',
    );
  if (version < OLDEST_READABLE && !mayBeEmpty)
    throw wrong(
      `has schema ${version}, from before version 0.1; continue the run once to migrate it to schema ${SCHEMA_VERSION}`,
    );
  return version;
}

/** SQLITE_CORRUPT, SQLITE_NOTADB. */
export function isDamage(error: unknown): boolean {
  const code = (error as { errcode?: number }).errcode ?? 0;
  return [11, 26].includes(code & 0xff);
}

export function damaged(path: string, error: unknown): KrisisError {
  const message = `${path}: cannot be opened as a run file: ${(error as Error).message}; it may be damaged or something else`;
  return new KrisisError(message, { code: 'ERR_RUN_FILE', value: path, cause: error });
}
