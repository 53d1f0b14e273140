import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { type ErrorCode, KrisisError } from '../core/index.ts';
import { schemaProblem } from './check-schema.ts';
import { checkRunFiles, type FileNames, nonEmptyLog } from './file-names.ts';
import { MAX_CELL_BYTES, UnexpectedCell } from './stored-cells.ts';
import { APPLICATION_ID, addViews, createTables, SCHEMA_VERSION } from './tables.ts';
import { WriterLock } from './writer-lock.ts';

export interface OpenOptions {
  readonly forWriting: boolean;
  /** Accept a new file, or one whose writer was killed before the first entry. */
  readonly mayBeEmpty: boolean;
  /** Look for damage in all pages: for a file that comes from elsewhere. Takes about as long as reading all of it. Default: false. */
  readonly isForeign?: boolean | undefined;
  /** Ids of records to read the run without. Default: none. */
  readonly leftOut?: readonly string[] | undefined;
  /** The longest text that SQLite reads, in bytes: queries that cut it need more room. Default: `MAX_CELL_BYTES`. */
  readonly longestCell?: number | undefined;
}

/** Opens a file after checking that it is a run file. Whatever is in it, opening and reading it runs no code of its own, and ends. */
export function openDatabase(
  path: string,
  { forWriting, mayBeEmpty, isForeign = false, leftOut, longestCell = MAX_CELL_BYTES }: OpenOptions,
): DatabaseSync {
  let db: DatabaseSync | null = null;
  try {
    const names = checkRunFiles(path);
    db = new DatabaseSync(forWriting ? path : toRead(path, names), {
      readOnly: !forWriting,
      defensive: true,
      limits: { length: longestCell },
    });
    db.exec('PRAGMA busy_timeout = 5000; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON');
    const hasTables = check(path, db, mayBeEmpty);
    if (isForeign) checkPages(path, db);
    if (forWriting) {
      // Pages change again and again before a run ends: copying them back every 16 MB instead of every 4 saves most of that.
      db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000');
      createTables(db);
    }
    if (forWriting || hasTables) addViews(db, leftOut);
    return db;
  } catch (error) {
    db?.close();
    if (error instanceof KrisisError) throw error;
    if (forWriting && isRefused(error)) throw notCreated(path, error);
    throw forWriting && isWriteFailure(error) ? notWritable(path, error) : damaged(path, error);
  }
}

function checkPages(path: string, db: DatabaseSync): void {
  const [first] = Object.values(db.prepare('PRAGMA quick_check(1)').get() ?? {});
  if (first !== 'ok') throw damaged(path, new Error(String(first)));
}

/**
 * A file without a writer is opened as immutable: otherwise SQLite creates two files beside it even for reading, and cannot read in a folder where it may not. A file with a log is
 * being written, or its writer was killed: the log is part of it.
 */
function toRead(path: string, names: FileNames): string | URL {
  const hot = names.all.find(nonEmptyLog);
  if (hot !== undefined || WriterLock.isHeld(path, names)) return hot ?? names.own;
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  return url;
}

/** Whether the file has the tables of a run: false for an empty one. */
function check(path: string, db: DatabaseSync, mayBeEmpty: boolean): boolean {
  const wrong = (what: string, code: ErrorCode = 'ERR_RUN_FILE') =>
    new KrisisError(`${path}: ${what}`, { code, value: path });
  const read = (sql: string) => Number(Object.values(db.prepare(sql).get()!)[0]);
  const application = read('PRAGMA application_id');
  const version = read('PRAGMA user_version');
  const isEmpty = application === 0 && version === 0 && read('SELECT count(*) FROM sqlite_schema') === 0;
  if (isEmpty && mayBeEmpty) return false;
  if (isEmpty) throw wrong('is empty; there is no run in it yet');
  if (application !== APPLICATION_ID) throw wrong('is not a Krisis run file');
  if (version > SCHEMA_VERSION)
    throw wrong(
      `was written by a newer Krisis (schema ${version}, this one knows ${SCHEMA_VERSION}); update krisis to read it`,
      'ERR_RUN_FILE_NEWER',
    );
  if (version < SCHEMA_VERSION)
    throw wrong(
      `has schema ${version}, which this version of Krisis does not read (it reads schema ${SCHEMA_VERSION}); run the evaluation again`,
    );
  const problem = schemaProblem(db);
  if (problem !== null) throw wrong(`is not a Krisis run file: it has ${problem}`);
  return true;
}

/** SQLITE_CORRUPT, SQLITE_TOOBIG, SQLITE_NOTADB. */
const DAMAGE = [11, 18, 26];
const SQLITE_ERROR = 1;

/** Whether an error is a fault of the file. Our queries fit the schema, which was checked: one that fails while `onlyReading` met a value that no version writes. */
export function isDamage(error: unknown, onlyReading = true): boolean {
  // A RangeError: an integer that JavaScript cannot hold.
  if (error instanceof UnexpectedCell || error instanceof RangeError) return true;
  const code = ((error as { errcode?: number }).errcode ?? 0) & 0xff;
  return DAMAGE.includes(code) || (onlyReading && code === SQLITE_ERROR);
}

/** SQLITE_BUSY, SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN. */
export function isWriteFailure(error: unknown): boolean {
  const code = (error as { errcode?: number }).errcode ?? 0;
  return [5, 8, 10, 13, 14].includes(code & 0xff);
}

/** SQLITE_READONLY, SQLITE_CANTOPEN: no room or patience would help. */
function isRefused(error: unknown): boolean {
  return [8, 14].includes(((error as { errcode?: number }).errcode ?? 0) & 0xff);
}

/** The error for a place where no run file can be written: nothing was begun. */
export function notCreated(path: string, error: unknown): KrisisError {
  const { code } = error as NodeJS.ErrnoException;
  const why =
    code === 'EEXIST' || code === 'ENOTDIR'
      ? 'a part of its path is a file, not a folder'
      : (error as Error).message;
  const message = `${path}: cannot be written: ${why}; choose another place, or change its permissions`;
  return new KrisisError(message, { code: 'ERR_RUN_FILE', value: path, cause: error });
}

export function notWritable(path: string, error: unknown): KrisisError {
  const message = `${path}: cannot be written: ${(error as Error).message}`;
  return new KrisisError(message, { code: 'ERR_RUN_FILE_WRITE', value: path, cause: error });
}

export function damaged(path: string, error: unknown): KrisisError {
  const message = `${path}: cannot be opened as a run file: ${(error as Error).message}; it may be damaged or something else`;
  return new KrisisError(message, { code: 'ERR_RUN_FILE', value: path, cause: error });
}
