import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { krisis, type Ran } from './krisis.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

interface Step {
  readonly run?: string;
}

const github = parse(readFileSync('examples/ci/github-actions.yml', 'utf8'));
const gitlab = parse(readFileSync('examples/ci/gitlab-ci.yml', 'utf8'));
const files: [string, string[]][] = [
  ['github-actions.yml', github.jobs.gate.steps.flatMap(({ run = '' }: Step) => run.split('\n'))],
  ['gitlab-ci.yml', gitlab['model-gate'].script],
];

/** The words of a command as a shell has them. */
function words(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c!);
}

describe.each(files)('examples/ci/%s', (_, lines) => {
  const commands = lines.filter((line) => line.startsWith('npx krisis ')).map((line) => words(line).slice(2));
  const all = async (change: (args: string[]) => string[] = (args) => args) => {
    const cwd = mkdtempSync(join(tmpdir(), 'krisis-ci-'));
    folders.push(cwd);
    const results: Ran[] = [];
    for (const args of commands) results.push(await krisis(change(args), { cwd }));
    return results;
  };

  it('lets a good candidate through', async () => {
    const results = await all();
    expect(results.length).toBeGreaterThanOrEqual(4);
    expect(results.map(({ code, stderr }) => [code, stderr])).toEqual(
      results.map(() => [0, expect.any(String)]),
    );
    const verdicts = results.map(({ stdout }) => stdout.match(/^ *PASS /gm)?.length ?? 0);
    expect(Math.max(...verdicts)).toBe(3);
  });

  it('stops a bad one', async () => {
    const results = await all((args) => args.map((word) => word.replace('accuracy=0.97', 'accuracy=0.5')));
    expect(results.map(({ code }) => code)).toContain(1);
    expect(results.map(({ stdout }) => stdout).join('')).toMatch(/^FAIL .*non-inferior/m);
  });
});
