import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/**
 * Refuses a pipe or a device, whose reading might never end. The error has the form of the operating system's own errors, and the code `ENOTREG`.
 *
 * @throws the error of the operating system where the file is missing or a folder.
 */
export function checkRegularFile(path: string): void {
  const stats = statSync(path);
  if (stats.isFile()) return;
  const code = stats.isDirectory() ? 'EISDIR' : 'ENOTREG';
  throw Object.assign(new Error(`${code}: open '${path}'`), { code, syscall: 'open', path });
}

/** The content of a regular file; see {@link checkRegularFile}. */
export async function readRegularFile(path: string): Promise<Buffer> {
  checkRegularFile(path);
  return readFile(path);
}
