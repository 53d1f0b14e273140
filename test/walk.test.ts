import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sourceCoverage } from './source-coverage.ts';

const folder = mkdtempSync(join(tmpdir(), 'krisis-walk-'));
afterAll(() => rmSync(folder, { recursive: true }));

const COMMANDS = [
  'run ckd/staging -m simulated/careful --limit 1',
  'report latest',
  'view --export exported',
] as const;
const IN_BROWSER = '## 9. In the browser';

const page = readFileSync('docs/dev/walk.md', 'utf8');
const [walk = '', inBrowser = ''] = page.split(IN_BROWSER);

/** Source files that a text names as code. */
function sourcesIn(text: string): string[] {
  return [...new Set([...text.matchAll(/`((?:src|web)\/[^`\s]+\.tsx?)`/g)].map(([, path]) => path!))];
}

describe('docs/dev/walk.md', () => {
  let executed: ReadonlySet<string>;

  beforeAll(() => {
    const commands = COMMANDS.map((command) => command.split(' '));
    const found = sourceCoverage(commands, folder);
    for (const [i, { code, stderr }] of found.ran.entries())
      expect([COMMANDS[i], code, stderr]).toEqual([
        COMMANDS[i],
        0,
        expect.not.stringContaining('internal error'),
      ]);
    executed = found.executed;
  });

  it('gives the commands that are run here', () => {
    for (const command of COMMANDS) expect(walk).toContain(`    krisis ${command}\n`);
  });

  it('names at least fifty files, none of them twice in the list', () => {
    const listed = [...walk.matchAll(/^- `([^`]+)`/gm)].map(([, path]) => path!);
    expect(listed.length).toBeGreaterThanOrEqual(50);
    expect(listed.filter((path, i) => listed.indexOf(path) !== i)).toEqual([]);
  });

  it.each(sourcesIn(walk))('%s exists, and runs for one record', (path) => {
    expect(existsSync(path)).toBe(true);
    expect(executed.has(path)).toBe(true);
  });

  it.each(sourcesIn(inBrowser))('%s exists', (path) => {
    expect(existsSync(path)).toBe(true);
  });

  it('would notice a file that is loaded and does not run', () => {
    expect(executed.has('src/runs/formats/latex.ts')).toBe(false);
  });
});

const DEVELOPER_PAGES = globSync('docs/dev/**/*.md');

describe.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', ...DEVELOPER_PAGES])('%s', (file) => {
  const text = readFileSync(file, 'utf8');

  it('links to pages that exist', () => {
    const targets = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target]) => target!);
    expect(targets.filter((target) => !existsSync(join(dirname(file), target)))).toEqual([]);
  });

  it('names source files that exist', () => {
    expect(sourcesIn(text).filter((path) => !existsSync(path))).toEqual([]);
  });
});

it('docs/dev/README.md links to every page of the folder', () => {
  const index = readFileSync('docs/dev/README.md', 'utf8');
  const linked = [...index.matchAll(/\]\(([^)#]+\.md)/g)].map(([, target]) => resolve('docs/dev', target!));
  const missing = DEVELOPER_PAGES.filter((path) => path !== join('docs', 'dev', 'README.md'))
    .map((path) => resolve(path))
    .filter((path) => !linked.includes(path));
  expect(missing).toEqual([]);
});
