import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { KrisisError } from '../core/index.ts';

interface AppFile {
  readonly type: string;
  readonly content: Buffer<ArrayBuffer>;
}

/** The files of the app by their address. */
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
 * Reads the built app as a whole: what is not in here is not served, whatever an address says.
 *
 * @throws KrisisError when it was not built.
 */
export function readAppFiles(folder: string): AppFiles {
  if (!existsSync(join(folder, 'index.html')))
    throw new KrisisError(`${folder}: the web app is not there; in a clone, npm run build:web builds it`, {
      value: folder,
    });
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
