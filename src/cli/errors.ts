import { stripVTControlCharacters } from 'node:util';
import { explainSystemError, KrisisError, withoutText } from '../core/errors.ts';
import { holdsProtectedData } from './protected-data.ts';

/** The error for options or arguments that do not go together. */
export function usageError(message: string, value?: unknown): KrisisError {
  return new KrisisError(message, { code: 'ERR_USAGE', value });
}

/** What is said of a fault of Krisis's own. The text of an error can quote what it stumbled over, so with protected data in the process only its kind and the places in the code are shown. */
export function faultText(thrown: unknown): string {
  const error = holdsProtectedData()
    ? withoutText(thrown)
    : thrown instanceof Error
      ? thrown
      : new Error(String(thrown));
  const more = process.env.KRISIS_DEBUG
    ? (error.stack ?? '')
    : 'This is a bug in krisis. Set KRISIS_DEBUG=1 for the trace, and please report it.';
  return `krisis: internal error: ${stripVTControlCharacters(error.message)}\n${more}\n`;
}

/** Where the call of the operating system says more than its code. */
const CALL_REASONS: Readonly<Record<string, string>> = {
  'mkdir EEXIST': 'it is a file where a folder is expected; choose another name',
  'opendir ENOTDIR': 'it is a file where a folder is expected; name a folder',
  'rename EISDIR': 'there is a folder of this name; choose another name',
  'rename ENOTEMPTY': 'there is a folder of this name; choose another name',
  'scandir ENOTDIR': 'it is a file where a folder is expected; name a folder',
};

/** A file is written in a folder that is named after it. */
const STAGING = /(^|[/\\])\.([^/\\]+)\.(?:partial|starting)-[0-9a-f]{16}([/\\].*)?$/;

/**
 * What an error of the operating system means for a user: the path, what is wrong and what to do. Null for any other error. Only the code and the path are shown: nothing that a file holds.
 *
 * @example
 * ```ts
 * systemErrorText(Object.assign(new Error('x'), { code: 'EISDIR', syscall: 'open', path: 'runs' }))
 * // => 'runs: it is a folder where a file is expected; name a file (EISDIR)'
 * systemErrorText(new Error('x')) // => null
 * ```
 */
export function systemErrorText(error: unknown): string | null {
  if (!(error instanceof Error) || error instanceof KrisisError) return null;
  const { code = '', syscall = '', path, dest } = error as NodeJS.ErrnoException & { dest?: string };
  if (code === 'ERR_INVALID_ARG_VALUE' && error.message.includes('without null bytes'))
    return 'the name of a file cannot hold a zero byte; check the path';
  const reason = CALL_REASONS[`${syscall} ${code}`] ?? systemReason(code);
  if (reason === undefined || syscall === '') return null;
  const place = dest ?? path;
  const name = place === undefined ? 'a file' : stripVTControlCharacters(place).replace(STAGING, '$1$2');
  return `${name}: ${reason} (${code})`;
}

/** What a code of the operating system means and what to do about it; undefined for other codes. */
export function systemReason(code: string | undefined): string | undefined {
  const explained = explainSystemError(code);
  return explained && `${explained.problem}; ${explained.advice}`;
}

/** Adds the path to an error that lacks it: reading from an open file does not name it. */
export function withPath(error: unknown, path: string): unknown {
  return error instanceof Error && 'syscall' in error && !('path' in error)
    ? Object.assign(error, { path })
    : error;
}
