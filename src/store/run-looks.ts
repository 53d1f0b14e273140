import { lstatSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { KrisisError } from '../core/index.ts';
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

type Look = Readonly<z.output<typeof lookSchema>>;

const LARGEST_FILE = 16 * 1024 * 1024;

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
  looked: readonly Omit<Look, 'look'>[],
): number[] {
  const path = looksPath(reference.path);
  const lock = WriterLock.take(reference.path);
  try {
    const looks = [...readLooks(path, reference.runId, alpha)];
    const before = looks.length;
    const numbers = looked.map((one) => {
      const known = looks.find(
        ({ run_id, decisions }) => run_id === one.run_id && decisions === one.decisions,
      );
      if (known !== undefined) return known.look;
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

function readLooks(path: string, runId: string, alpha: number): readonly Look[] {
  const file = lstatSync(path, { throwIfNoEntry: false });
  if (file === undefined) return [];
  // A link or a pipe could lead anywhere, or never end.
  if (!file.isFile() || file.size > LARGEST_FILE) throw invalid(path, 'is not a file of looks');
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw invalid(path, `is not JSON: ${(cause as Error).message}`);
  }
  const found = fileSchema.safeParse(value);
  if (!found.success) {
    const { path: at, message } = found.error.issues[0]!;
    throw invalid(path, [...at, message].join(': '));
  }
  const { reference_run_id: reference, alpha: spent, looks } = found.data;
  if (reference !== runId) throw invalid(path, 'counts looks at another reference run');
  if (spent !== alpha)
    throw invalid(
      path,
      `was begun with an error of ${spent}, not ${alpha}; the error is fixed at the first look`,
    );
  // A number that is missing or used twice would give a look the error of an earlier one.
  if (looks.some(({ look }, i) => look !== i + 1))
    throw invalid(path, 'looks are not numbered 1, 2, 3, ... in order: the file was changed');
  return looks;
}

function write(path: string, run: string, content: z.output<typeof fileSchema>): void {
  const staged = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(staged, `${JSON.stringify(content, null, 2)}\n`, {
      mode: statSync(run).mode & 0o666,
      flush: true,
    });
    renameSync(staged, path);
  } catch (cause) {
    throw invalid(path, `cannot be written (${(cause as NodeJS.ErrnoException).code})`);
  }
}

function invalid(path: string, why: string): KrisisError {
  return new KrisisError(`${path}: ${why}`, { code: 'ERR_LOOKS_FILE', value: path });
}
