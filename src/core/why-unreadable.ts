const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'no permission to read it',
  EISDIR: 'it is a folder',
  ELOOP: 'its links lead in a circle',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'its name is too long',
  ENOENT: 'no such file',
  ENOTDIR: 'no such file (a part of its path is a file, not a folder)',
  EPERM: 'no permission to read it',
};

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
  return REASONS[code ?? ''] ?? `cannot be read (${code ?? 'unknown reason'})`;
}
