const PERMISSIONS = 'choose another place, or change its permissions';

/** What is wrong, what to do about it, and what is wrong in the words for a file that was to be read. */
const SYSTEM_ERRORS: Readonly<Record<string, readonly [problem: string, advice: string, reading?: string]>> =
  {
    EACCES: ['no permission', PERMISSIONS, 'no permission to read it'],
    EBUSY: ['it is in use', 'close what uses it, or choose another place'],
    EDQUOT: ['your share of the disk is used up', 'make room, or choose another disk'],
    EEXIST: ['it already exists', 'choose another name'],
    EISDIR: ['it is a folder where a file is expected', 'name a file', 'it is a folder'],
    ELOOP: ['its links lead in a circle', 'check the path'],
    EMFILE: ['too many files are open', 'raise the limit (ulimit -n)'],
    ENAMETOOLONG: ['its name is too long', 'choose a shorter one'],
    ENFILE: ['too many files are open on this machine', 'close some programs'],
    ENOENT: ['there is no such file or folder', 'check the path', 'no such file'],
    ENOSPC: ['the disk is full', 'make room, or choose another disk'],
    ENOTDIR: [
      'a part of its path is a file, not a folder',
      'check the path',
      'no such file (a part of its path is a file, not a folder)',
    ],
    ENOTREG: [
      'it is a pipe or a device',
      'write its content to a regular file first',
      'it is a pipe or a device, not a regular file',
    ],
    ENOTEMPTY: ['the folder is not empty', 'choose another one'],
    EPERM: ['not permitted', PERMISSIONS, 'no permission to read it'],
    EROFS: ['the disk is read-only', 'choose another place'],
  };

/** What an error code of the operating system means; undefined for other codes. */
export function explainSystemError(code: string | undefined) {
  const [problem, advice, reading = problem] = SYSTEM_ERRORS[code ?? ''] ?? [];
  return problem === undefined ? undefined : { problem, advice, reading };
}

/**
 * Why a file cannot be read, in words.
 *
 * @example
 * ```ts
 * whyUnreadable({ code: 'EISDIR' }) // => 'it is a folder'
 * whyUnreadable({ code: 'EIO' }) // => 'cannot be read (EIO)'
 * ```
 */
export function whyUnreadable(cause: unknown): string {
  const { code } = cause as { readonly code?: string };
  return explainSystemError(code)?.reading ?? `cannot be read (${code ?? 'unknown reason'})`;
}
