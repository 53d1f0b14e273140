import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The path of a file of the package, which is two folders up in the sources and in the published package alike. */
export function packageFile(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}

/** The version in package.json. */
export function packageVersion(): string {
  return (JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }).version;
}

/** Where a page of the documentation can be read. The path is relative when the package is below the working folder, as `node_modules/krisis` is. */
export function docsPage(name: string, from: string = process.cwd()): string {
  const path = packageFile(`docs/${name}`);
  const fromHere = relative(from, path);
  return fromHere.startsWith('..') ? path : fromHere;
}
