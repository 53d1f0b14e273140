import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'rolldown';

/** Licences that let us pass a package on inside ours, under conditions that their text in the file of licences meets. */
const ALLOWED = new Set([
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Unlicense',
  'CC0-1.0',
]);

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

/** Writes the licences of all inlined packages into one file, and fails on a licence that the list of allowed licences does not have. */
export function collectLicences(fileName: string): Plugin {
  return {
    name: 'collect-licences',
    generateBundle(_, bundle) {
      const folders = new Set<string>();
      for (const chunk of Object.values(bundle))
        if (chunk.type === 'chunk')
          for (const id of chunk.moduleIds) {
            const folder = packageFolder(id);
            if (folder !== null) folders.add(folder);
          }
      const source = [...folders].map(licenceText).toSorted().join('\n');
      this.emitFile({ type: 'asset', fileName, source });
    },
  };
}

/** The folder of the package that a module belongs to; null for our own modules. */
function packageFolder(id: string): string | null {
  return /^\0?(.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+)[/\\]/.exec(id)?.[1] ?? null;
}

function licenceText(folder: string): string {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const { name, version, license = 'none' } = manifest;
  if (!ALLOWED.has(license))
    throw new Error(
      `${name} ${version} is inlined, and its licence is ${license}; allowed are ${[...ALLOWED].join(', ')}. Leave it external, or add the licence after reading it.`,
    );
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return [`${name} ${version} (${license})`, '-'.repeat(78), ...texts, ''].join('\n\n');
}
