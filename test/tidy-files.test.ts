import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commandsOf } from './doc-samples.ts';
import { temporaryFolder } from './engine-fixture.ts';
import { krisis } from './krisis.ts';

/** The programs of docs/tidy-files.md, run on the files that the commands of the page write. Skipped where the interpreter or a package is absent. */
const page = readFileSync('docs/tidy-files.md', 'utf8');
const program = (language: string) => page.split(`\`\`\`${language}\n`)[1]!.split('```')[0]!;
const folder = temporaryFolder();
afterAll(folder.remove);

beforeAll(async () => {
  for (const { args } of commandsOf(page))
    expect((await krisis(args, { cwd: folder.path })).code, args.join(' ')).toBe(0);
});

const run = (command: string, ...args: string[]) =>
  spawnSync(command, args, { cwd: folder.path, encoding: 'utf8' });
const python = run('python3', '-c', 'print(1)').status === 0;
const pandas = run('python3', '-c', 'import pandas, matplotlib, jinja2').status === 0;
const r = run('Rscript', '--version').status === 0;

it('the programs have ten lines', () => {
  for (const language of ['python', 'r'])
    expect(
      program(language)
        .split('\n')
        .filter((line) => line !== '').length,
    ).toBeLessThanOrEqual(10);
});

it.skipIf(!python)('the Python program is Python (skipped without python3)', () => {
  const parse = 'import ast, sys; ast.parse(sys.argv[1])';
  expect(run('python3', '-c', parse, program('python'))).toMatchObject({ status: 0, stderr: '' });
  expect(run('python3', '-c', parse, 'table = (').status).toBe(1);
});

it.skipIf(!pandas)('the Python program makes a table and a figure (skipped without pandas)', () => {
  const { status, stdout, stderr } = run('python3', '-c', program('python'));
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain('missed_emergency_rate');
  for (const file of ['harms.tex', 'harms.png']) expect(existsSync(join(folder.path, file))).toBe(true);
});

it.skipIf(!r)('the R program makes a table and a figure (skipped without Rscript)', () => {
  const { status, stdout } = run('Rscript', '-e', program('r'));
  expect([status, stdout]).toEqual([0, expect.stringContaining('missed_emergency_rate')]);
  for (const file of ['harms.csv', 'harms.pdf']) expect(existsSync(join(folder.path, file))).toBe(true);
});

it('the columns of the page are those of the files', () => {
  const header = readFileSync(join(folder.path, 'metrics.csv'), 'utf8').split('\r\n')[0]!.split(',');
  const named = [...page.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`(\w+)`/g)].map(([, name]) => name!),
  );
  expect([...named, 'reason'].sort()).toEqual([...header].sort());
});
