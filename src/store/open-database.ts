import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { type ErrorCode, KrisisError } from '../core/errors.ts';
import {
  damaged,
  fileError,
  isDamage,
  isRefused,
  isWriteFailure,
  notCreated,
  notWritable,
} from './file-errors.ts';
import { checkRunFiles, type findFileNames, nonEmptyLog, SIDE_FILES } from './file-names.ts';
import { MAX_CELL_BYTES } from './stored-cells.ts';
import {
  APPLICATION_ID,
  addViews,
  BULK_ITEMS,
  BULK_JOBS,
  createTables,
  SCHEMA_VERSION,
  TABLES,
} from './tables.ts';
import { WriterLock } from './writer-lock.ts';

/** How long a connection waits for another process. */
const PATIENCE_MS = 5000;

export interface OpenOptions {
  readonly forWriting: boolean;
  /** Accept a new file, or one whose writer was killed before the first entry. */
  readonly mayBeEmpty: boolean;
  /** Look for damage in all pages: for a file that comes from elsewhere. Takes about as long as reading all of it. Default: false. */
  readonly isForeign?: boolean | undefined;
  /** Ids of records to read the run without. Default: none. */
  readonly leftOut?: readonly string[] | undefined;
  /** The longest text that SQLite reads, in bytes: queries that cut it need more room. Default: `MAX_CELL_BYTES`. */
  readonly maxCellBytes?: number | undefined;
}

/** Opens a file after checking that it is a run file. Whatever is in it, opening and reading it runs no code of its own, and ends. */
export function openDatabase(
  path: string,
  { forWriting, mayBeEmpty, isForeign = false, leftOut, maxCellBytes = MAX_CELL_BYTES }: OpenOptions,
): DatabaseSync {
  let db: DatabaseSync | null = null;
  try {
    const names = checkRunFiles(path);
    db = openUntrusted(forWriting ? path : resolveForReading(path, names), {
      readOnly: !forWriting,
      patienceMs: PATIENCE_MS,
      maxCellBytes,
    });
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

/** Opens a database that anyone may have written. */
export function openUntrusted(
  file: string | URL,
  {
    readOnly,
    patienceMs,
    maxCellBytes,
  }: { readonly readOnly: boolean; readonly patienceMs: number; readonly maxCellBytes: number },
): DatabaseSync {
  const db = new DatabaseSync(file, { readOnly, defensive: true, limits: { length: maxCellBytes } });
  db.exec(`PRAGMA busy_timeout = ${patienceMs}; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON`);
  return db;
}

/** The address of a file that SQLite reads as it is: it creates no files beside it. */
export function immutable(path: string): URL {
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  return url;
}

function checkPages(path: string, db: DatabaseSync): void {
  const [first] = Object.values(db.prepare('PRAGMA quick_check(1)').get() ?? {});
  if (first !== 'ok') throw damaged(path, new Error(String(first)));
}

/**
 * A file without a writer is opened as immutable: otherwise SQLite creates two files beside it even for reading, and cannot read in a folder where it may not. A file with a log is
 * being written, or its writer was killed: the log is part of it.
 */
function resolveForReading(path: string, names: ReturnType<typeof findFileNames>): string | URL {
  const hot = names.all.find(nonEmptyLog);
  if (hot !== undefined || WriterLock.isHeld(path, names)) return hot ?? names.own;
  return immutable(path);
}

/** Whether the file has the tables of a run: false for an empty one. */
function check(path: string, db: DatabaseSync, mayBeEmpty: boolean): boolean {
  const wrong = (what: string, code: ErrorCode = 'ERR_RUN_FILE') => fileError(path, what, code);
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

/** Tables that SQLite makes for its query planner. */
const STATISTICS = /^sqlite_stat\d$/;
/** An index that is made on demand. */
const KEY_INDEX = 'CREATE INDEX calls_by_key ON calls (key)';
/** Only some runs have these. */
const OPTIONAL: ReadonlySet<unknown> = new Set([KEY_INDEX, BULK_JOBS.ddl, BULK_ITEMS.ddl]);

/**
 * Why the schema of a file is not that of a run file; null where it is. Tables must be exactly as we make them. A foreign file could
 * otherwise run queries of its own: through a view or a virtual table under the name of one of our tables, a trigger, or a generated
 * column.
 */
function schemaProblem(db: DatabaseSync): string | null {
  const missing = new Map(TABLES.map((sql) => [sql, /^CREATE TABLE (\w+)/.exec(sql)![1]!]));
  const objects = db.prepare('SELECT type, name, sql FROM main.sqlite_schema LIMIT 100').all();
  for (const { type, name, sql } of objects) {
    const isAutomatic = type === 'index' && sql === null;
    if (isAutomatic || missing.delete(sql as string) || OPTIONAL.has(sql) || isStatistics(type, name, sql))
      continue;
    const shown = JSON.stringify(String(name).slice(0, 40));
    if ([...missing.values()].includes(String(name))) return `other columns in the table ${shown}`;
    if (type === 'index') return `an index ${shown} that is not ours`;
    const isVirtual = type === 'table' && !/^CREATE TABLE\b/i.test(String(sql));
    return type === 'table' && !isVirtual
      ? `a table ${shown} that is not ours`
      : `a ${isVirtual ? 'virtual table' : type} ${shown}`;
  }
  const [first] = missing.values();
  return first === undefined ? null : `no table "${first}"`;
}

function isStatistics(type: unknown, name: unknown, sql: unknown): boolean {
  return type === 'table' && STATISTICS.test(String(name)) && /^CREATE TABLE\b/i.test(String(sql));
}

/** A run file opened for reading. */
export type RunDatabase = DatabaseSync;

/** Opens a run file, passes it to `read` and closes it. */
export function queryRun<T>(
  path: string,
  read: (run: RunDatabase) => T,
  options: Pick<OpenOptions, 'isForeign' | 'maxCellBytes'> = {},
): T {
  const run = openDatabase(path, { ...options, forWriting: false, mayBeEmpty: false });
  try {
    return read(run);
  } catch (error) {
    throw isDamage(error) ? damaged(path, error) : error;
  } finally {
    run.close();
  }
}

/**
 * Opens a small database that has one table, `table` as it was created. A file with anything else in it is replaced by an empty one: a trigger or a view would run as part of our own
 * statements, and need never end. `create` makes an empty file. Default: SQLite does.
 */
export function openKnownTable(
  path: string,
  table: string,
  { patienceMs, create = () => {} }: { readonly patienceMs: number; readonly create?: () => void },
): DatabaseSync {
  create();
  const db = new DatabaseSync(path, { timeout: patienceMs });
  if (holdsOnly(db, table)) return db;
  db.close();
  for (const end of ['', ...SIDE_FILES]) rmSync(`${path}${end}`, { force: true });
  create();
  return new DatabaseSync(path, { timeout: patienceMs });
}

/** Whether a database holds a table as it was created, with the indexes that SQLite makes for it, or nothing. */
export function holdsOnly(db: DatabaseSync, table: string): boolean {
  const schema = db.prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL LIMIT 2').all();
  return schema.length === 0 || (schema.length === 1 && schema[0]!.sql === table);
}
