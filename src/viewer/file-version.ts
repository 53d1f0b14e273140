import { statSync } from 'node:fs';

/** Changes whenever the file does: what was made from an older version is made again. While somebody writes, the news is in the log beside the file. */
export function fileVersion(path: string): string {
  return [path, `${path}-wal`].map(stamp).join(' ');
}

function stamp(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  // Whoever reads may leave an empty log; that is no news.
  return found === undefined || found.size === 0n ? '-' : `${found.ino}:${found.size}:${found.mtimeNs}`;
}
