import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { explainSystemError, KrisisError } from '../../core/errors.ts';
import { RunFile } from '../../store/run-file.ts';
import { type Staging, stageBeside } from '../../store/staging.ts';
import { WriterLock } from '../../store/writer-lock.ts';

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
  if (statSync(target, { throwIfNoEntry: false })?.isDirectory())
    throw notWritten(target, { code: 'EISDIR' });
  try {
    mkdirSync(dirname(target), { recursive: true });
  } catch (cause) {
    throw notWritten(target, cause);
  }
  const lock = WriterLock.take(target);
  let staging: Staging | undefined;
  try {
    staging = stageBeside(target);
    const run = RunFile.write(staging.path, { isPrivate });
    try {
      await write(run);
    } finally {
      run.close();
    }
    for (const beside of ['-wal', '-shm']) rmSync(`${target}${beside}`, { force: true });
    try {
      renameSync(staging.path, target);
    } catch (cause) {
      throw notWritten(target, cause);
    }
  } finally {
    staging?.remove();
    lock.release();
  }
}

function notWritten(target: string, cause: unknown): KrisisError {
  const { code = 'unknown' } = cause as NodeJS.ErrnoException;
  // A file in the place of the target's folder: the target itself does not exist.
  const { problem = code } = explainSystemError(code === 'EEXIST' ? 'ENOTDIR' : code) ?? {};
  return new KrisisError(`${target}: cannot be written: ${problem}`, {
    code: 'ERR_OUTPUT',
    value: target,
    cause,
  });
}
