import { readdirSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
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

  it.each(['report.html', 'site/app.js', 'my-study/krisis.config.ts', '.krisis/runs/a.db'])(
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
