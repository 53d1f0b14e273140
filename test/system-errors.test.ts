import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { krisis } from './krisis.ts';

const cwd = mkdtempSync(join(tmpdir(), 'krisis-system-errors-'));
afterAll(() => rmSync(cwd, { recursive: true }));

const RUN = ['run', 'ckd/staging', '--n-records', '8', '--model', 'simulated/careful'];
const JUDGE = ['--judge', 'baseline/lexical'];

beforeAll(async () => {
  mkdirSync(join(cwd, 'folder/x'), { recursive: true });
  for (const end of ['csv', 'yaml', 'jsonl', 'db']) mkdirSync(join(cwd, `folder.${end}`));
  writeFileSync(join(cwd, 'file'), 'x');
  cpSync(resolve('examples/answers.jsonl'), join(cwd, 'answers.jsonl'));
  cpSync(resolve('examples/questions'), join(cwd, 'questions'), { recursive: true });
  expect((await krisis([...RUN, '--run', 'a.db'], { cwd })).code).toBe(0);
  for (const end of ['csv', 'yaml', 'jsonl', 'json']) cpSync(join(cwd, 'a.db'), join(cwd, `run.${end}`));
  for (const end of ['csv', 'jsonl'])
    writeFileSync(
      join(cwd, `suite-${end}.yaml`),
      `name: own/x\nfile: run.${end}\nlabel: dx\ninstructions: Answer.\n`,
    );
});

/** Where a file is read. */
const READERS: readonly ((path: string) => string[])[] = [
  (path) => [...RUN, '--config', path],
  (path) => ['run', path, '--model', 'simulated/careful'],
  (path) => ['run', 'ckd/staging', '--data', path, '--model', 'simulated/careful'],
  (path) => [...RUN, '--sign-key', path, '--run', 'signed.db'],
  (path) => ['run', 'ckd/staging', '--n-records', '8', '--model', `replay/${path}`, '--run', 'replayed.db'],
  (path) => ['score', path],
  (path) => ['score', 'answers.jsonl', '--config', path],
  (path) => ['score', 'answers.jsonl', '--non-inferior', path, '--margin', '0.1'],
  (path) => ['report', path],
  (path) => ['compare', 'a.db', path],
  (path) => ['judge', path, ...JUDGE],
  (path) => ['judge', '--answers', path, '--questions', 'questions/questions.yaml', ...JUDGE],
  (path) => ['judge', '--answers', 'questions/answers.jsonl', '--questions', path, ...JUDGE],
  (path) => ['runs', 'verify', path],
  (path) => ['runs', 'verify', 'a.db', '--public-key', path],
  (path) => ['check', path],
  (path) => ['check', path, '--export', '-'],
  (path) => ['check', path],
  (path) => ['check', path],
  (path) => ['runs', 'import', path],
  (path) => ['runs', 'import', path],
  (path) => ['runs', 'export', path],
  (path) => ['conformance', path],
];

/** Where a file or a folder is written. */
const WRITERS: readonly ((path: string) => string[])[] = [
  (path) => [...RUN, '--run', path],
  (path) => ['score', 'answers.jsonl', '-o', path],
  (path) => ['report', 'a.db', '-o', path],
  (path) => ['report', 'a.db', '--format', 'html', '-o', path, '--force'],
  (path) => ['compare', 'a.db', 'a.db', '-o', path],
  (path) => ['check', 'ckd/staging', '--export', path, '--n-records', '8'],
  (path) => ['runs', 'export', 'a.db', '-o', path],
];
const FOLDER_WRITERS: readonly ((path: string) => string[])[] = [
  (path) => ['view', 'a.db', '--export', path],
  (path) => ['init', 'score', path],
];

/** A command that must say what is wrong, with exit code 2. */
async function refuses(args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await krisis(args, { cwd });
  const said = stderr + (args[0] === 'verify' || args[0] === 'validate' ? stdout : '');
  expect([args, code, said]).toEqual([args, 2, expect.not.stringContaining('bug in krisis')]);
  expect(said).not.toMatch(/internal error|\n\s+at /);
  expect(said.trim().length).toBeGreaterThan(10);
  return said;
}

describe.each([
  ['is a folder', ['folder', 'folder.csv', 'folder.yaml', 'folder.jsonl', 'folder.db']],
  ['is below a file', ['file/x', 'file/x.csv', 'file/x.yaml', 'file/x.jsonl', 'file/x.db']],
  ['is not there', ['none/x', 'none/x.csv', 'none/x.yaml', 'none/x.jsonl', 'none/x.db']],
  ['has a name that no file can have', ['x'.repeat(300), '\0x']],
])('a file to read that %s', (_, paths) => {
  it.each(READERS.map((args) => [args('PATH').join(' '), args] as const))('%s', async (_, args) => {
    for (const path of paths) await refuses(args(path));
  });
});

describe.skipIf(process.platform === 'win32')('a pipe or a device', () => {
  it.each(READERS.map((args) => [args('PATH').join(' '), args] as const))(
    '%s refuses a device',
    async (_, args) => {
      for (const end of ['csv', 'yaml', 'jsonl', 'db']) {
        const path = join(cwd, `device.${end}`);
        if (!existsSync(path)) symlinkSync('/dev/null', path);
        const said = await refuses(args(`device.${end}`));
        // A key may come from another program.
        if (!args('').join(' ').includes('-key'))
          expect(said).toMatch(
            /a pipe or a device|not a regular file|no suite |extension is not a known format/,
          );
      }
    },
  );

  it('is refused by score at once, whether or not anything writes to it', () => {
    const path = join(cwd, 'pipe.jsonl');
    execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', path]);
    const bin = resolve('bin/krisis.js');
    const { status, stderr } = spawnSync(process.execPath, [bin, 'score', path], {
      encoding: 'utf8',
      timeout: 15_000,
    });
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(/a pipe or a device[\s\S]*- for standard input/),
    ]);
  });
});

describe('a run file where something else belongs', () => {
  it.each([
    ['score', 'run.csv'],
    ['score', 'run.jsonl'],
    ['run', 'run.yaml', '--model', 'simulated/careful'],
    ['run', 'suite-csv.yaml', '--model', 'simulated/careful'],
    ['check', 'suite-csv.yaml'],
    ['check', 'suite-jsonl.yaml'],
    ['check', 'suite-csv.yaml'],
    ['judge', '--answers', 'run.jsonl', '--questions', 'questions/questions.yaml', ...JUDGE],
    ['check', 'ckd/staging', '--data', 'run.csv'],
    ['check', 'run.yaml'],
    ['runs', 'import', 'run.json'],
    ['conformance', 'run.json'],
    [...RUN, '--config', 'run.yaml'],
  ])('krisis %s %s', async (...args) => {
    await refuses(args);
  });

  it('is named as one where a table belongs', async () => {
    expect(await refuses(['check', 'suite-csv.yaml'])).toContain('it is a run file');
    expect(await refuses(['score', 'run.csv'])).toContain('is a run file');
  });
});

describe('a file to write', () => {
  it.each(WRITERS.map((args) => [args('PATH').join(' '), args] as const))('%s', async (_, args) => {
    for (const path of ['folder', 'file/x', 'file/x/y', 'x'.repeat(300), '\0x']) await refuses(args(path));
    // Folders of runs and bundles are created.
    if (!['run', 'bundle'].includes(args('')[0]!))
      expect(await refuses(args('none/x'))).toContain('there is no folder none; create it first');
  });

  it.each(FOLDER_WRITERS.map((args) => [args('PATH').join(' '), args] as const))('%s', async (_, args) => {
    for (const path of ['file', 'file/x', '\0x']) await refuses(args(path));
  });

  it('is not overwritten', async () => {
    expect(await refuses(['report', 'a.db', '-o', 'answers.jsonl'])).toContain('already exists');
    expect(await refuses(['runs', 'export', 'a.db', '-o', 'answers.jsonl'])).toContain('already exists');
  });

  it('is not listed as a folder of runs', async () => {
    expect(await refuses(['list', 'file'])).toContain('it is a file where a folder is expected');
  });
});

/** The superuser may read and write everything. */
describe.skipIf(process.getuid?.() === 0)('without permission', () => {
  beforeAll(() => {
    mkdirSync(join(cwd, 'closed'));
    writeFileSync(join(cwd, 'closed.csv'), 'a,b\n1,2\n');
    chmodSync(join(cwd, 'closed'), 0o500);
    chmodSync(join(cwd, 'closed.csv'), 0o000);
  });

  it.each([...READERS.map((args) => args('closed.csv')), ...WRITERS.map((args) => args('closed/x.db'))])(
    '%s %s %s %s %s',
    async (...args) => {
      await refuses(args);
    },
  );
});
