import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

/** The rules on rooms and their doors, tried on small trees with planted violations. */
const ROOTS = ['src', 'web'];

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
    [
      resolve('node_modules/.bin/depcruise'),
      '--config',
      '.dependency-cruiser.cjs',
      ...ROOTS.filter((root) => existsSync(join(folder, root))),
    ],
    { cwd: folder, encoding: 'utf8' },
  );
  return { status, stdout };
}

const leaf = 'export const leaf = 1;\n';
const use = (path: string) => `export { leaf } from '${path}';\n`;

describe('the rules on rooms', () => {
  it('let a room use the files of the rooms before it', () => {
    const { status, stdout } = cruise({
      'src/core/leaf.ts': leaf,
      'src/metrics/use.ts': use('../core/leaf.ts'),
      'src/viewer/browser.ts': use('../core/leaf.ts'),
      'web/src/page.ts': use('../../src/viewer/browser.ts'),
      'src/suites/hash/leaf.ts': leaf,
      'src/domains/ckd/rule.ts': use('../../suites/hash/leaf.ts'),
      'src/domains/list.ts': use('./ckd/rule.ts'),
      'src/files/formats/leaf.ts': leaf,
      'src/files/read.ts': use('./formats/leaf.ts'),
      'src/runs/use.ts': use('../files/read.ts'),
      'src/reports/use.ts': use('../domains/list.ts'),
      'src/conformance/use.ts': use('../domains/ckd/rule.ts'),
    });
    expect([status, stdout]).toEqual([0, expect.stringContaining('no dependency violations')]);
  });

  it.each([
    [
      'a room that uses one to its right',
      { 'src/metrics/leaf.ts': leaf, 'src/core/use.ts': use('../metrics/leaf.ts') },
      'core-knows-nothing-to-its-right',
    ],
    [
      'a review that uses the engine',
      { 'src/engine/leaf.ts': leaf, 'src/review/use.ts': use('../engine/leaf.ts') },
      'review-knows-nothing-to-its-right',
    ],
    [
      'a transport that uses the engine',
      { 'src/engine/leaf.ts': leaf, 'src/transports/bulk/use.ts': use('../../engine/leaf.ts') },
      'transports-knows-nothing-to-its-right',
    ],
    [
      'a type taken from the right',
      {
        'src/metrics/leaf.ts': 'export type Leaf = 1;\n',
        'src/models/use.ts': "import type { Leaf } from '../metrics/leaf.ts';\nexport type Use = Leaf;\n",
      },
      'models-knows-nothing-to-its-right',
    ],
    [
      'a reader of files that knows runs',
      { 'src/runs/leaf.ts': leaf, 'src/files/use.ts': use('../runs/leaf.ts') },
      'files-knows-nothing-to-its-right',
    ],
    [
      'a room that enters a single reader',
      { 'src/files/formats/leaf.ts': leaf, 'src/runs/use.ts': use('../files/formats/leaf.ts') },
      'readers-stay-in-files',
    ],
    [
      'a suite that knows a domain',
      { 'src/domains/list.ts': leaf, 'src/suites/use.ts': use('../domains/list.ts') },
      'suites-knows-nothing-to-its-right',
    ],
    [
      'a room that names a domain',
      { 'src/domains/ckd/leaf.ts': leaf, 'src/metrics/use.ts': use('../domains/ckd/leaf.ts') },
      'no-domain-by-name',
    ],
    [
      'a door',
      {
        'src/core/leaf.ts': leaf,
        'src/core/index.ts': use('./leaf.ts'),
        'src/metrics/use.ts': use('../core/index.ts'),
      },
      'no-doors',
    ],
    [
      'a page that reaches into src',
      { 'src/core/leaf.ts': leaf, 'web/src/page.ts': use('../../src/core/leaf.ts') },
      'the-page-has-one-door',
    ],
    [
      'a product that reaches into the page',
      { 'web/src/leaf.ts': leaf, 'src/viewer/use.ts': use('../../web/src/leaf.ts') },
      'src-knows-no-page',
    ],
    [
      'a folder that is not a room',
      { 'src/core/leaf.ts': leaf, 'src/utils/use.ts': use('../core/leaf.ts') },
      'every-folder-is-a-room',
    ],
    [
      'a circle',
      {
        'src/core/a.ts': "import './b.ts';\nexport {};\n",
        'src/core/b.ts': "import './a.ts';\nexport {};\n",
      },
      'no-circles',
    ],
    [
      'an import of a file that does not exist',
      { 'src/core/a.ts': "import './gone.ts';\nexport {};\n" },
      'nothing-unresolved',
    ],
  ])('refuse %s', (_, files, rule) => {
    const { status, stdout } = cruise(files);
    expect(status).not.toBe(0);
    expect(stdout).toContain(rule);
  });
});

describe('analyses', () => {
  it('need each other from one side only', () => {
    const needs = new Map<string, Set<string>>();
    for (const path of globSync('src/analyses/*/**/*.ts', { exclude: ['**/*.test.ts'] })) {
      const own = path.split('/')[2]!;
      for (const [, other] of readFileSync(path, 'utf8').matchAll(/ from '(?:\.\.\/)+([a-z-]+)\//g))
        if (other !== own && existsSync(join('src/analyses', other!)))
          needs.set(own, (needs.get(own) ?? new Set()).add(other!));
    }
    const pathTo = (from: string, to: string, before: readonly string[] = []): readonly string[] | null => {
      const path = [...before, from];
      if (from === to && before.length > 0) return path;
      if (before.includes(from)) return null;
      for (const next of needs.get(from) ?? []) {
        const found = pathTo(next, to, path);
        if (found !== null) return found;
      }
      return null;
    };
    expect(needs.get('comparison')).toContain('judging');
    for (const name of needs.keys()) expect(pathTo(name, name)).toBeNull();
  });
});
