import { z } from 'zod';
import { fileError } from './file-errors.ts';
import { readSideFile, type SideFile, writeSideFile } from './side-file.ts';
import { WriterLock } from './writer-lock.ts';

const lookSchema = z.strictObject({
  /** 1, 2, 3, ...: the error that a look may spend depends on it. */
  look: z.int().min(1),
  /** The run that was compared with the reference. */
  run_id: z.string(),
  /** A hash of its decisions: a run that has grown since is another look. */
  decisions: z.string(),
  /** When it was looked at, in ISO 8601. */
  at: z.string(),
});

const fileSchema = z.strictObject({
  format: z.literal('krisis-looks-1'),
  /** The run that others are compared with. */
  reference_run_id: z.string(),
  /** The error over all looks together. */
  alpha: z.number().gt(0).lt(1),
  looks: z.array(lookSchema),
});

const LOOKS = {
  schema: fileSchema,
  largest: 16 * 1024 * 1024,
  code: 'ERR_LOOKS_FILE',
} satisfies SideFile<typeof fileSchema>;

/** `RUN.looks.json` of `RUN.db`. */
export function looksPath(run: string): string {
  return `${run.replace(/\.db$/, '')}.looks.json`;
}

/**
 * Counts looks at later runs in the file beside the reference, and returns the number of each. A run with the same decisions as before keeps its number: looking at
 * the same result again spends nothing. The file is replaced as a whole, under the lock of the reference, so that two commands cannot count the same look number.
 *
 * @throws KrisisError with `ERR_LOOKS_FILE` for a file that belongs to another reference or error, or cannot be read or written.
 */
export function countLooks(
  reference: { readonly path: string; readonly runId: string },
  alpha: number,
  looked: readonly Omit<z.output<typeof lookSchema>, 'look'>[],
): number[] {
  const path = looksPath(reference.path);
  const lock = takeLock(reference.path, path);
  try {
    const looks = [...readLooks(path, reference.runId, alpha)];
    const before = looks.length;
    const numbers = looked.map((one) => {
      const counted = looks.find(
        ({ run_id, decisions }) => run_id === one.run_id && decisions === one.decisions,
      );
      if (counted !== undefined) return counted.look;
      const look = looks.reduce((most, other) => Math.max(most, other.look), 0) + 1;
      looks.push({ look, ...one });
      return look;
    });
    if (looks.length > before)
      write(path, reference.path, {
        format: 'krisis-looks-1',
        reference_run_id: reference.runId,
        alpha,
        looks,
      });
    return numbers;
  } finally {
    lock.release();
  }
}

function takeLock(run: string, path: string): WriterLock {
  try {
    return WriterLock.take(run);
  } catch (cause) {
    throw fileError(path, `looks cannot be counted: ${(cause as Error).message}`, LOOKS.code);
  }
}

function readLooks(path: string, runId: string, alpha: number) {
  const file = readSideFile(path, LOOKS);
  if (file === null) return [];
  const { reference_run_id: reference, alpha: spent, looks } = file;
  if (reference !== runId) throw fileError(path, 'counts looks at another reference run', LOOKS.code);
  if (spent !== alpha)
    throw fileError(
      path,
      `was begun with an error of ${spent}, not ${alpha}; the error is fixed at the first look`,
      LOOKS.code,
    );
  // A number that is missing or used twice would give a look the error of an earlier one.
  if (looks.some(({ look }, i) => look !== i + 1))
    throw fileError(path, 'looks are not numbered 1, 2, 3, ... in order: the file was changed', LOOKS.code);
  return looks;
}

function write(path: string, run: string, content: z.output<typeof fileSchema>): void {
  try {
    writeSideFile(path, run, content);
  } catch (cause) {
    throw fileError(path, `cannot be written (${(cause as NodeJS.ErrnoException).code})`, LOOKS.code);
  }
}
