import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** The entries of the package by the name under which they are imported, read from `exports` in package.json. */
export const ENTRIES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = Object.fromEntries(
  await Promise.all(
    Object.entries(exportsOfPackage()).flatMap(([path, target]) =>
      typeof target === 'string'
        ? []
        : [import(/* @vite-ignore */ sourceOf(path)).then((entry) => [path.replace('.', 'krisis'), entry])],
    ),
  ),
);

/** Everything that can be imported. */
export const PUBLIC_API: Readonly<Record<string, unknown>> = Object.assign({}, ...Object.values(ENTRIES));

function exportsOfPackage(): Record<string, string | { readonly default: string }> {
  return JSON.parse(readFileSync('package.json', 'utf8')).exports;
}

/** The source of an entry, which the build bundles. */
function sourceOf(path: string): string {
  return resolve(path === '.' ? 'src/index.ts' : `src/entries/${path.slice('./'.length)}.ts`);
}
