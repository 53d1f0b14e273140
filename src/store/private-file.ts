import { closeSync, openSync } from 'node:fs';

/** Only the user who created a file may read or write it. */
export const PRIVATE_MODE = 0o600;

/**
 * Creates an empty file that only the user may read, where there is none. SQLite opens it as an empty database, and gives the files beside it (`-wal`, `-shm`) the same mode; a mode that is changed
 * afterwards leaves a moment in which others can open them.
 */
export function createPrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', PRIVATE_MODE));
  } catch {
    // It exists, or cannot be created: then the code that opens it says why.
  }
}
