import { stripVTControlCharacters } from 'node:util';
import { KrisisError } from '../core/index.ts';

/** What is wrong, and what to do about it, by the code of the operating system. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'no permission; choose another place, or change its permissions',
  EBUSY: 'it is in use; close what uses it, or choose another place',
  EDQUOT: 'your share of the disk is used up; make room, or choose another disk',
  EEXIST: 'it exists already; choose another name',
  EISDIR: 'it is a folder where a file is expected; name a file',
  ELOOP: 'its links lead in a circle; check the path',
  EMFILE: 'too many files are open; raise the limit (ulimit -n)',
  ENAMETOOLONG: 'its name is too long; choose a shorter one',
  ENFILE: 'too many files are open on this machine; close some programs',
  ENOENT: 'there is no such file or folder; check the path',
  ENOSPC: 'the disk is full; make room, or choose another disk',
  ENOTDIR: 'a part of its path is a file, not a folder; check the path',
  ENOTEMPTY: 'the folder is not empty; choose another one',
  EPERM: 'not permitted; choose another place, or change its permissions',
  EROFS: 'the disk is read-only; choose another place',
};

/** The same, where the call of the operating system says more than its code. */
const REASONS_OF_CALLS: Readonly<Record<string, string>> = {
  'mkdir EEXIST': 'it is a file where a folder is expected; choose another name',
  'opendir ENOTDIR': 'it is a file where a folder is expected; name a folder',
  'rename EISDIR': 'there is a folder of this name; choose another name',
  'rename ENOTEMPTY': 'there is a folder of this name; choose another name',
  'scandir ENOTDIR': 'it is a file where a folder is expected; name a folder',
};

/** Temporary files have the name of the file that they become. */
const TEMPORARY = /\.\d+\.tmp$/;

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
  const reason = REASONS_OF_CALLS[`${syscall} ${code}`] ?? REASONS[code];
  if (reason === undefined || syscall === '') return null;
  const place = dest ?? path;
  const name = place === undefined ? 'a file' : stripVTControlCharacters(place).replace(TEMPORARY, '');
  return `${name}: ${reason} (${code})`;
}

/** Adds the path to an error that lacks it: reading from an open file does not name it. */
export function withPath(error: unknown, path: string): unknown {
  return error instanceof Error && 'syscall' in error && !('path' in error)
    ? Object.assign(error, { path })
    : error;
}
