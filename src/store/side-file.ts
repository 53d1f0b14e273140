import { lstatSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import type { z } from 'zod';
import type { ErrorCode } from '../core/errors.ts';
import { fileError } from './file-errors.ts';
import { stageBeside } from './staging.ts';

/** A kind of small JSON file that is kept beside run files. */
export interface SideFile<T extends z.ZodType> {
  readonly schema: T;
  /** In bytes; a larger file is not read. */
  readonly largest: number;
  /** The code of its errors. */
  readonly code: ErrorCode;
}

/**
 * The content of a file beside a run; null where there is none.
 *
 * @throws KrisisError with the code of its kind for a file that does not fit.
 */
export function readSideFile<T extends z.ZodType>(path: string, kind: SideFile<T>): z.output<T> | null {
  const file = lstatSync(path, { throwIfNoEntry: false });
  if (file === undefined) return null;
  // A link or a pipe could lead anywhere, or never end.
  if (!file.isFile()) throw fileError(path, 'is not a regular file', kind.code);
  if (file.size > kind.largest) throw fileError(path, `is larger than ${kind.largest / 1024} KiB`, kind.code);
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw fileError(path, `is not JSON: ${(cause as Error).message}`, kind.code);
  }
  return checkedBy(kind.schema, value, path, kind);
}

/** A value that fits a schema; the error names the first problem. */
export function checkedBy<T extends z.ZodType>(
  schema: T,
  value: unknown,
  path: string,
  kind: Pick<SideFile<T>, 'code'>,
): z.output<T> {
  const found = schema.safeParse(value);
  if (found.success) return found.data;
  const { path: at, message } = found.error.issues[0]!;
  throw fileError(path, [...at, message].join(': '), kind.code);
}

/** Replaces the file as a whole, so that a reader never sees half of it. It gets the permissions of the run file. */
export function writeSideFile(path: string, run: string, content: object): void {
  const text = `${JSON.stringify(content, null, 2)}\n`;
  const { mode } = statSync(run);
  const staging = stageBeside(path);
  try {
    writeFileSync(staging.path, text, { flag: 'wx', mode: mode & 0o666, flush: true });
    renameSync(staging.path, path);
  } finally {
    staging.remove();
  }
}
