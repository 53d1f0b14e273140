import { once } from 'node:events';
import { createWriteStream, lstatSync, statSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { KrisisError } from '../core/errors.ts';
import { PRIVATE_MODE } from '../core/file-owner.ts';
import { type Staging, stageBeside } from '../store/staging.ts';
import { systemReason } from './errors.ts';
import { isUnread } from './print.ts';
import { holdsProtectedData } from './protected-data.ts';

/** Small pieces are joined up to this length: writing them one by one would cost more than making them. */
const PIECE = 1 << 16;

/**
 * Writes to a file, completely or not at all, and overwrites an existing one only with `force`; without a file, to standard output. Output derived from protected data is readable by its owner only. Content in pieces is never in memory as a whole.
 */
export async function writeOutput(
  content: string | Iterable<string>,
  file: string | undefined,
  force: boolean,
): Promise<void> {
  const pieces = inPieces(typeof content === 'string' ? [content] : content);
  if (file === undefined) {
    for (const piece of pieces) if (!process.stdout.write(piece) && !(await isDrained())) return;
    return;
  }
  checkOutput(file, force);
  let staging: Staging | undefined;
  try {
    staging = stageBeside(file);
    const mode = holdsProtectedData() ? PRIVATE_MODE : 0o666;
    await pipeline(Readable.from(pieces), createWriteStream(staging.path, { flags: 'wx', mode }));
    await rename(staging.path, file);
  } catch (cause) {
    if (cause instanceof KrisisError) throw cause;
    const { code, syscall } = cause as NodeJS.ErrnoException;
    if (syscall === undefined && code !== 'ERR_INVALID_ARG_VALUE') throw cause;
    throw new KrisisError(`${file}: cannot be written (${code}): ${whyNot(code, file)}`, {
      code: 'ERR_OUTPUT',
      cause,
      value: file,
    });
  } finally {
    staging?.remove();
  }
}

function whyNot(code: string | undefined, file: string): string {
  if (code === 'ENOENT') return `there is no folder ${dirname(file)}; create it first`;
  return systemReason(code) ?? 'check the path';
}

/** Waits until there is room for more; false when no one reads it any more, as after `| head`. */
async function isDrained(): Promise<boolean> {
  try {
    await once(process.stdout, 'drain');
    return true;
  } catch (error) {
    if (!isUnread(error)) throw error;
    return false;
  }
}

/** Refuses a file that already exists; called before the work is done. */
export function checkOutput(file: string | undefined, force: boolean): void {
  if (file === undefined) return;
  const target = statSync(file, { throwIfNoEntry: false });
  if (target?.isDirectory())
    throw new KrisisError(`${file}: cannot be written (EISDIR): it is a folder; name a file in it`, {
      code: 'ERR_OUTPUT',
      value: file,
    });
  if (target !== undefined && !target.isFile())
    throw new KrisisError(`${file}: cannot be written: it is a pipe or a device; name a regular file`, {
      code: 'ERR_OUTPUT',
      value: file,
    });
  // A link that leads nowhere is there, too.
  if (lstatSync(file, { throwIfNoEntry: false }) !== undefined && !force)
    throw new KrisisError(`${file}: already exists; choose another name, or add --force to overwrite it`, {
      code: 'ERR_OUTPUT',
      value: file,
    });
}

function* inPieces(chunks: Iterable<string>): Generator<string> {
  let piece = '';
  for (const chunk of chunks) {
    piece += chunk;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}
