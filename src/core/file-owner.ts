import type { Stats } from 'node:fs';

/** Only the user who created a file may read or write it. */
export const PRIVATE_MODE = 0o600;
/** The same for a folder. */
export const PRIVATE_FOLDER_MODE = 0o700;

/** Whether a file belongs to this user and no one else may open it. Windows has no such modes. */
export function isPrivate(stats: Stats): boolean {
  return stats.isFile() && isOwn(stats) && (process.platform === 'win32' || (stats.mode & 0o077) === 0);
}

/** Whether this user owns a file; true where the platform has no owners. */
export function isOwn({ uid }: Stats): boolean {
  return process.getuid === undefined || uid === process.getuid();
}
