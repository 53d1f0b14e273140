import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

/** The rule on the direction of imports, tried on small trees with planted faults. */
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

function cruise(files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'krisis-rooms-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  copyFileSync('tsconfig.json', join(folder, 'tsconfig.json'));
  copyFileSync('.dependency-cruiser.cjs', join(folder, '.dependency-cruiser.cjs'));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  const { status, stdout } = spawnSync(
    process.execPath,
    [resolve('node_modules/.bin/depcruise'), '--config', '.dependency-cruiser.cjs', 'src'],
    { cwd: folder, encoding: 'utf8' },
  );
  return { status, stdout };
}

const leaf = 'export const leaf = 1;\n';

describe('the rule on rooms', () => {
  it('lets a room use the rooms before it', () => {
    const { status, stdout } = cruise({
      'src/records/leaf.ts': leaf,
      'src/metrics/use.ts': "export { leaf } from '../records/leaf.ts';\n",
    });
    expect([status, stdout]).toEqual([0, expect.stringContaining('no dependency violations')]);
  });

  it.each([
    [
      'a room that uses one to its right',
      { 'src/metrics/leaf.ts': leaf, 'src/records/use.ts': "export { leaf } from '../metrics/leaf.ts';\n" },
      'records-knows-nothing-to-its-right',
    ],
    [
      'a type taken from the right',
      {
        'src/metrics/leaf.ts': 'export type Leaf = 1;\n',
        'src/backends/use.ts': "import type { Leaf } from '../metrics/leaf.ts';\nexport type Use = Leaf;\n",
      },
      'backends-knows-nothing-to-its-right',
    ],
    [
      'a folder that is no room',
      { 'src/records/leaf.ts': leaf, 'src/utils/use.ts': "export { leaf } from '../records/leaf.ts';\n" },
      'every-folder-is-a-room',
    ],
    [
      'a circle',
      {
        'src/records/a.ts': "import './b.ts';\nexport {};\n",
        'src/records/b.ts': "import './a.ts';\nexport {};\n",
      },
      'no-circles',
    ],
    [
      'an import of nothing',
      { 'src/records/a.ts': "import './gone.ts';\nexport {};\n" },
      'nothing-unresolved',
    ],
  ])('refuses %s', (_, files, rule) => {
    const { status, stdout } = cruise(files);
    expect(status).not.toBe(0);
    expect(stdout).toContain(rule);
  });
});
