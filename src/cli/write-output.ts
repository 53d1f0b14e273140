import { once } from 'node:events';
import { createWriteStream, existsSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { KrisisError } from '../core/errors.ts';
import { PRIVATE_FOLDER_MODE, PRIVATE_MODE } from '../core/file-owner.ts';
import type { FileContent } from '../runs/report-options.ts';
import { type Staging, stageBeside } from '../store/staging.ts';
import { systemReason, usageError } from './errors.ts';
import { isUnread } from './print.ts';
import { holdsProtectedData } from './protected-data.ts';

/** Small pieces are joined up to this length: writing them one by one would cost more than making them. */
const PIECE = 1 << 16;

/**
 * Writes to a file, completely or not at all, and overwrites an existing one only with `force`; without a file, to standard output. Output derived from protected data is readable by its owner only. Content in pieces is never in memory as a whole.
 */
export async function writeOutput(
  content: FileContent,
  file: string | undefined,
  force: boolean,
): Promise<void> {
  const pieces = inPieces(content);
  if (file === undefined) {
    if (content instanceof Uint8Array && process.stdout.isTTY)
      throw usageError('these are bytes, not text: name a file for them with -o FILE');
    for (const piece of pieces) if (!process.stdout.write(piece) && !(await isDrained())) return;
    return;
  }
  checkOutput(file, force);
  await writeStaged(file, async (staging) => {
    const mode = holdsProtectedData() ? PRIVATE_MODE : 0o666;
    await pipeline(Readable.from(pieces), createWriteStream(staging.path, { flags: 'wx', mode }));
    await rename(staging.path, file);
  });
}

/**
 * Writes files below a folder. A new folder appears with all of them or not at all. Into an existing one the files are moved when all are written; other files in it stay.
 */
export async function writeFolder(
  files: Readonly<Record<string, FileContent>>,
  folder: string,
  force: boolean,
): Promise<void> {
  checkOutputFolder(folder, force);
  const isPrivate = holdsProtectedData();
  await writeStaged(folder, async (staging) => {
    mkdirSync(staging.path, { mode: isPrivate ? PRIVATE_FOLDER_MODE : 0o777 });
    for (const [name, content] of Object.entries(files)) {
      const path = join(staging.path, name);
      mkdirSync(dirname(path), { recursive: true, mode: isPrivate ? PRIVATE_FOLDER_MODE : 0o777 });
      const mode = isPrivate ? PRIVATE_MODE : 0o666;
      await pipeline(Readable.from(inPieces(content)), createWriteStream(path, { flags: 'wx', mode }));
    }
    if (!existsSync(folder)) return rename(staging.path, folder);
    for (const name of Object.keys(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      await rename(join(staging.path, name), join(folder, name));
    }
  });
}

/** Writes beside a target, and names the target in what goes wrong. */
async function writeStaged(target: string, write: (staging: Staging) => Promise<void>): Promise<void> {
  let staging: Staging | undefined;
  try {
    staging = stageBeside(target);
    await write(staging);
  } catch (cause) {
    if (cause instanceof KrisisError) throw cause;
    const { code, syscall } = cause as NodeJS.ErrnoException;
    if (syscall === undefined && code !== 'ERR_INVALID_ARG_VALUE') throw cause;
    throw new KrisisError(`${target}: cannot be written (${code}): ${whyNot(code, target)}`, {
      code: 'ERR_OUTPUT',
      cause,
      value: target,
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

/** Refuses a folder that holds something; called before the work is done. */
export function checkOutputFolder(folder: string, force: boolean): void {
  const target = statSync(folder, { throwIfNoEntry: false });
  const problem =
    target === undefined || (target.isDirectory() && (force || readdirSync(folder).length === 0))
      ? null
      : target.isDirectory()
        ? 'is not empty; choose another folder, or add --force to replace the files of this report in it'
        : 'is a file; this format is several files: name a folder';
  if (problem !== null) throw new KrisisError(`${folder}: ${problem}`, { code: 'ERR_OUTPUT', value: folder });
}

function* inPieces(content: FileContent): Generator<string | Uint8Array> {
  if (content instanceof Uint8Array) {
    yield content;
    return;
  }
  let piece = '';
  for (const chunk of typeof content === 'string' ? [content] : content) {
    piece += chunk;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}
