import { existsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { KrisisError } from '../records/krisis-error.ts';

/** Writes to a file, whole or not at all, never over an existing one unless forced; without a file, to standard output. */
export async function writeOutput(text: string, file: string | undefined, force: boolean): Promise<void> {
  if (file === undefined) {
    process.stdout.write(text);
    return;
  }
  if (existsSync(file) && !force) {
    throw new KrisisError(`${file}: exists already; choose another name, or give --force to write over it`, {
      value: file,
    });
  }
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, text);
    await rename(temporary, file);
  } catch (cause) {
    await rm(temporary, { force: true });
    throw new KrisisError(`${file}: cannot be written (${(cause as NodeJS.ErrnoException).code})`, {
      cause,
      value: file,
    });
  }
}
