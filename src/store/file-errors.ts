import { type ErrorCode, KrisisError } from '../core/errors.ts';
import { UnexpectedCell } from './stored-cells.ts';

const SQLITE_ERROR = 1;
export const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
export const SQLITE_CANTOPEN = 14;
const SQLITE_TOOBIG = 18;
const SQLITE_NOTADB = 26;

/** The primary code of an error of SQLite; 0 for other errors. */
export function sqliteCode(error: unknown): number {
  return ((error as { errcode?: number }).errcode ?? 0) & 0xff;
}

/** Whether an error is a fault of the file. Our queries fit the schema, which was checked: one that fails while `onlyReading` met a value that no version writes. */
export function isDamage(error: unknown, onlyReading = true): boolean {
  // A RangeError: an integer that JavaScript cannot hold.
  if (error instanceof UnexpectedCell || error instanceof RangeError) return true;
  const code = sqliteCode(error);
  const isBroken = [SQLITE_CORRUPT, SQLITE_TOOBIG, SQLITE_NOTADB].includes(code);
  return isBroken || (onlyReading && code === SQLITE_ERROR);
}

export function isWriteFailure(error: unknown): boolean {
  if ((error as NodeJS.ErrnoException).syscall === 'fdatasync') return true;
  return isRefused(error) || [SQLITE_BUSY, SQLITE_IOERR, SQLITE_FULL].includes(sqliteCode(error));
}

/** No room or patience would help. */
export function isRefused(error: unknown): boolean {
  return [SQLITE_READONLY, SQLITE_CANTOPEN].includes(sqliteCode(error));
}

/** An error about a file. */
export function fileError(path: string, what: string, code: ErrorCode, cause?: unknown): KrisisError {
  return new KrisisError(`${path}: ${what}`, { code, value: path, cause });
}

/** The error for a place where no run file can be written: nothing was begun. */
export function notCreated(path: string, error: unknown): KrisisError {
  const { code, message } = error as NodeJS.ErrnoException;
  const why =
    code === 'EEXIST' || code === 'ENOTDIR' ? 'a part of its path is a file, not a folder' : message;
  const what = `cannot be written: ${why}; choose another place, or change its permissions`;
  return fileError(path, what, 'ERR_RUN_FILE', error);
}

export function notWritable(path: string, error: unknown): KrisisError {
  return fileError(path, `cannot be written: ${(error as Error).message}`, 'ERR_RUN_FILE_WRITE', error);
}

export function damaged(path: string, error: unknown): KrisisError {
  const what = `cannot be opened as a run file: ${(error as Error).message}; it may be damaged or something else`;
  return fileError(path, what, 'ERR_RUN_FILE', error);
}
