import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const { version, repository, bugs, homepage, license } = JSON.parse(readFileSync('package.json', 'utf8'));
const home = repository.url.replace(/^git\+|\.git$/g, '');

describe('the files of the repository', () => {
  it('name one home', () => {
    expect(home).toMatch(/^https:\/\/github\.com\/[\w-]+\/krisis$/);
    expect(bugs.url).toBe(`${home}/issues`);
    expect(homepage).toBe(`${home}#readme`);
    expect(parse(readFileSync('CITATION.cff', 'utf8'))['repository-code']).toBe(home);
    expect(readFileSync('SECURITY.md', 'utf8')).toContain(`${home}/security/advisories/new`);
  });

  it('cite the version and the licence of the package', () => {
    expect(parse(readFileSync('CITATION.cff', 'utf8'))).toMatchObject({ version, license });
  });

  it.each(readdirSync('.github/ISSUE_TEMPLATE'))('%s is a form that GitHub knows', (file) => {
    const form = parse(readFileSync(join('.github/ISSUE_TEMPLATE', file), 'utf8'));
    if (file === 'config.yml') return expect(form).toEqual({ blank_issues_enabled: false });
    expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) });
    for (const { type, id, attributes } of form.body)
      expect([type, id ?? 'none', typeof (attributes.label ?? attributes.value)]).toEqual([
        expect.stringMatching(/^(markdown|textarea|input)$/),
        expect.stringMatching(/^\w+$/),
        'string',
      ]);
  });

  it.each(['ci.yml', 'release.yml'])('the workflow %s calls scripts that exist', (file) => {
    const { jobs } = parse(readFileSync(join('.github/workflows', file), 'utf8'));
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    const steps = Object.values(jobs).flatMap((job) => (job as { steps: { run?: string }[] }).steps);
    const run = steps.map((step) => step.run ?? '').join('\n');
    expect(run).toContain('npm ci');
    for (const [, script] of run.matchAll(/npm run (\S+)/g)) expect(scripts).toHaveProperty(script!);
  });

  it.each(['report.html', 'exported/app.js', 'my-study/krisis.config.ts', '.krisis/runs/a.db'])(
    'leave out of every check what a command of the README writes: %s',
    (written) => {
      const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
      const tsFolders = (read('tsconfig.json').include as string[]).flatMap((entry) => [
        entry,
        `${entry}/**`,
      ]);
      const checked: string[] = [
        ...read('biome.json').files.includes,
        ...read('knip.json').project,
        ...tsFolders,
      ];
      expect(checked.filter((pattern) => matchesGlob(written, pattern))).toEqual([]);
    },
  );
});

describe('functions', () => {
  const MAX_LINES = 100;
  /** The lines of the longest function of a file. */
  function longestFunction(path: string, text: string): number {
    const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    const line = (position: number) => source.getLineAndCharacterOfPosition(position).line;
    let longest = 0;
    const visit = (node: ts.Node) => {
      if (ts.isFunctionLike(node) && 'body' in node && node.body)
        longest = Math.max(longest, line(node.end) - line(node.getStart(source)) + 1);
      ts.forEachChild(node, visit);
    };
    visit(source);
    return longest;
  }

  it('have at most 100 lines', () => {
    const long = globSync('src/**/*.ts', { exclude: ['**/*.test.ts', '**/*.test-d.ts'] }).filter(
      (path) => longestFunction(path, readFileSync(path, 'utf8')) > MAX_LINES,
    );
    expect(long).toEqual([]);
  });

  it('are measured from the first to the last line', () => {
    const text = `const f = () => {\n${'  g();\n'.repeat(MAX_LINES)}};\n`;
    expect(longestFunction('f.ts', text)).toBe(MAX_LINES + 2);
  });
});
