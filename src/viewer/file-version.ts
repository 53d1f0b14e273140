import { statSync } from 'node:fs';

/** Changes whenever the file does. While a process writes, changes are in the log beside the file. */
export function fileVersion(path: string): string {
  return [path, `${path}-wal`].map(stamp).join(' ');
}

function stamp(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  // A reader may leave an empty log, which changes nothing.
  return found === undefined || found.size === 0n ? '-' : `${found.ino}:${found.size}:${found.mtimeNs}`;
}
