import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { afterAll, expect, it } from 'vitest';
import { collectLicences } from '../licences.ts';

const folder = mkdtempSync(join(tmpdir(), 'krisis-licences-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A bundle of a program and one package under this licence; answers the collected text. */
async function bundle(license?: string): Promise<string> {
  const inlined = join(folder, 'node_modules/@some/package');
  mkdirSync(inlined, { recursive: true });
  writeFileSync(
    join(inlined, 'package.json'),
    JSON.stringify({ name: '@some/package', version: '1.2.3', type: 'module', main: 'index.js', license }),
  );
  writeFileSync(join(inlined, 'index.js'), 'export const name = "inlined";');
  writeFileSync(join(inlined, 'LICENSE'), 'Copyright (c) Somebody');
  const input = join(folder, 'main.js');
  writeFileSync(input, 'import { name } from "@some/package"; console.log(name);');
  const built = await rolldown({ input, plugins: [collectLicences('licences.txt')] });
  await built.write({ dir: join(folder, 'out') });
  return readFileSync(join(folder, 'out/licences.txt'), 'utf8');
}

it('collects the licences of inlined packages', async () => {
  const text = await bundle('MIT');
  expect(text).toContain('@some/package 1.2.3 (MIT)');
  expect(text).toContain('Copyright (c) Somebody');
});

it.each(['GPL-3.0-only', undefined])('fails on the licence %s', async (license) => {
  await expect(bundle(license)).rejects.toThrow(
    `@some/package 1.2.3 is inlined, and its licence is ${license ?? 'none'}; allowed are MIT, `,
  );
});
