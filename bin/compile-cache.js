import { lstatSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * The folder for compiled code, or null where none is safe. Whoever can write there can make krisis run their code, with the keys in its environment: it must belong to the user and be closed to all
 * others, and so must the folder around it, or it could be exchanged.
 */
export function compileCacheFolder(env) {
  const uid = process.getuid?.();
  try {
    const folder = join(
      env.XDG_CACHE_HOME || env.LOCALAPPDATA || join(homedir(), '.cache'),
      'krisis',
      'compiled',
    );
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // On Windows folders of the user are closed to others.
    if (uid === undefined) return folder;
    return isOwn(folder, uid, 0o077) && isOwn(dirname(folder), uid, 0o022) ? folder : null;
  } catch {
    return null;
  }
}

function isOwn(folder, uid, closedTo) {
  const found = lstatSync(folder);
  return found.isDirectory() && found.uid === uid && (found.mode & closedTo) === 0;
}
