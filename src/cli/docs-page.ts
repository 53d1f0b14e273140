import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Where a page of the documentation can be read: in the package, two folders up in the sources and in the published package alike. The path is relative when the package is
 * below the working folder, as `node_modules/krisis` is.
 */
export function docsPage(name: string, from: string = process.cwd()): string {
  const path = fileURLToPath(new URL(`../../docs/${name}`, import.meta.url));
  const fromHere = relative(from, path);
  return fromHere.startsWith('..') ? path : fromHere;
}
