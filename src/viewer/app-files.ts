import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { KrisisError } from '../core/index.ts';

interface AppFile {
  readonly type: string;
  readonly content: Buffer<ArrayBuffer>;
}

/** The files of the built page by their address. */
export type AppFiles = ReadonlyMap<string, AppFile>;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

/**
 * Reads all files of the built page. The server serves these and no others.
 *
 * @throws KrisisError if the page was not built.
 */
export function readAppFiles(folder: string): AppFiles {
  if (!existsSync(join(folder, 'index.html')))
    throw new KrisisError(
      `${folder}: the viewer's page is missing; in a clone, npm run build:web builds it`,
      {
        code: 'ERR_VIEWER_NOT_BUILT',
        value: folder,
      },
    );
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return new Map(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const address = relative(folder, path).split(sep).join('/');
      const type = TYPES[extname(entry.name)] ?? 'application/octet-stream';
      return [address, { type, content: Buffer.from(readFileSync(path)) }];
    }),
  );
}
