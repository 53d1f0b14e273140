import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { KrisisError } from '../../core/index.ts';
import { RunFile, WriterLock } from '../../store/index.ts';

/**
 * A name as a part of a file name.
 *
 * @example
 * ```ts
 * slug('api:openai/gpt 9') // => 'api-openai-gpt-9'
 * ```
 */
export function slug(text: string): string {
  return text
    .replace(/[^a-zA-Z0-9.]+/g, '-')
    .replace(/^[-.]+|-+$/g, '')
    .slice(0, 60);
}

/**
 * Writes a run into a file beside the target, which takes its place when all is written.
 *
 * @throws KrisisError when the folder cannot be made or written to.
 */
export async function writeWhole(
  target: string,
  write: (run: RunFile) => Promise<void>,
  { isPrivate = false }: { readonly isPrivate?: boolean } = {},
): Promise<void> {
  const temporary = `${target}.${process.pid}.tmp`;
  const remove = () => {
    for (const end of ['', '-wal', '-shm', '.lock']) rmSync(`${temporary}${end}`, { force: true });
  };
  if (statSync(target, { throwIfNoEntry: false })?.isDirectory())
    throw notWritten(target, { code: 'EISDIR' });
  try {
    mkdirSync(dirname(target), { recursive: true });
  } catch (cause) {
    throw notWritten(target, cause);
  }
  const lock = WriterLock.take(target);
  try {
    remove();
    const run = RunFile.write(temporary, { isPrivate });
    try {
      await write(run);
    } finally {
      run.close();
    }
    for (const beside of ['-wal', '-shm']) rmSync(`${target}${beside}`, { force: true });
    try {
      renameSync(temporary, target);
    } catch (cause) {
      throw notWritten(target, cause);
    }
  } finally {
    remove();
    lock.release();
  }
}

function notWritten(target: string, cause: unknown): KrisisError {
  const { code = 'unknown' } = cause as NodeJS.ErrnoException;
  const reasons: Record<string, string> = {
    EISDIR: 'it is a folder',
    ENOTDIR: 'a part of its path is not a folder',
    EEXIST: 'a part of its path is not a folder',
    EACCES: 'no permission',
    EROFS: 'the file system is read-only',
  };
  return new KrisisError(`${target}: cannot be written: ${reasons[code] ?? code}`, {
    code: 'ERR_OUTPUT',
    value: target,
    cause,
  });
}
