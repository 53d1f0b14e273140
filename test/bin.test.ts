import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { krisis, krisisProcess } from './krisis.ts';

/** Other tests run commands in their own process. Here each command starts as users start it, and must print and exit exactly as it does there. */
const cwd = mkdtempSync(join(tmpdir(), 'krisis-bin-'));
afterAll(() => rmSync(cwd, { recursive: true }));

const small = ['--n-records', '20', '--bootstrap', '20'];
const run = (model: string, file: string) => [
  'run',
  'ckd/staging',
  '--model',
  model,
  '--run',
  file,
  ...small,
];

beforeAll(() => {
  cpSync('examples/questions', join(cwd, 'questions'), { recursive: true });
  for (const [code, args] of [
    [0, ['init', 'score']],
    [0, run('simulated/careful', 'careful.db')],
    [0, run('simulated/overconfident', 'bold.db')],
    [3, [...run('simulated/careful?poisoned=0.5', 'failed.db'), '--keep-failed']],
    [0, ['runs', 'export', 'careful.db']],
  ] as const)
    expect([args, krisisProcess(args, { cwd })]).toEqual([args, expect.objectContaining({ code })]);
});

describe('the command in a process of its own', () => {
  it.each<[number, string[], string?]>([
    [0, []],
    [0, ['--version']],
    [0, ['-V']],
    [0, ['run', '--help']],
    [2, ['scroe']],
    [0, run('simulated/careful', 'careful.db')],
    [3, [...run('simulated/careful?poisoned=0.5', 'failed.db'), '--keep-failed']],
    [0, ['score', 'answers.jsonl']],
    [0, ['score', '-', '--json'], readFileSync('examples/answers.jsonl', 'utf8')],
    [0, ['report', 'careful.db', '--format', 'html']],
    [1, ['report', 'careful.db', '--assert', 'accuracy > 0.99']],
    [0, ['compare', 'careful.db', 'bold.db']],
    [2, ['view', 'gone.db', '--no-open']],
    [1, ['judge', '--probes', '--judge', 'baseline/lexical', '--json']],
    [0, ['list', '.']],
    [0, ['check']],
    [0, ['check', 'ckd/staging', '--n-records', '20']],
    [0, ['check', 'ckd/progression', '--export', '-', '--n-records', '20']],
    [0, ['check', 'answers.jsonl']],
    [0, ['check', 'questions/questions.yaml']],
    [2, ['runs', 'import', 'answers.jsonl']],
    [2, ['runs', 'export', 'careful.db']],
    [0, ['ops', 'cache', 'clear']],
    [2, ['init', 'score']],
    [0, ['conformance', resolve('conformance/rubrics.json')]],
  ])('exits with %i after %j', async (code, args, input = '') => {
    const there = krisisProcess(args, { cwd, input });
    expect([there.code, there.stderr]).toEqual([code, expect.any(String)]);
    expect(await krisis(args, { cwd, input })).toEqual(there);
  });

  it('is not disturbed when the reader of its output leaves early', async () => {
    const args = ['check', 'ckd/staging', '--export', '-'];
    const child = spawn(process.execPath, [resolve('bin/krisis.js'), ...args], { cwd });
    let stderr = '';
    child.stderr.on('data', (text) => (stderr += text));
    child.stdout.once('data', () => child.stdout.destroy());
    expect([await once(child, 'close'), stderr]).toEqual([
      [0, null],
      expect.not.stringContaining('krisis: '),
    ]);
  });

  it('leaves no files beside those it was asked for', () => {
    expect(readdirSync(cwd).filter((name) => /\.tmp$|-(wal|shm)$/.test(name))).toEqual([]);
  });
});

describe('compiled code', () => {
  const cached = (home: string) => {
    const env = { PATH: process.env.PATH, HOME: home };
    expect(krisisProcess(['--help'], { env }).code).toBe(0);
    const folder = join(home, '.cache/krisis/compiled');
    return { folder, n: statSync(folder).isDirectory() ? readdirSync(folder).length : 0 };
  };
  const home = () => mkdtempSync(join(cwd, 'home-'));

  it('is kept in a folder that only the user can write', () => {
    const { folder, n } = cached(home());
    expect(n).toBeGreaterThan(0);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it.each<[string, (at: string) => void]>([
    ['others may write it', (at) => chmodSync(at, 0o777)],
    ['others may exchange it', (at) => chmodSync(dirname(at), 0o777)],
    ['it is a link', (at) => renameSync(at, `${at}-2`) ?? symlinkSync(`${at}-2`, at)],
    ['it is a file', (at) => rmdirSync(at) ?? writeFileSync(at, '')],
    // Only root can give a folder away; all others have none that is not theirs.
    ...(process.getuid?.() === 0
      ? ([['it belongs to another user', (at) => chownSync(at, 12_345, 12_345)]] as [
          string,
          (at: string) => void,
        ][])
      : []),
  ])('is not kept where %s', (_, change) => {
    const at = home();
    const folder = join(at, '.cache/krisis/compiled');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    change(folder);
    expect(cached(at).n).toBe(0);
  });
});

describe('output that no one reads', () => {
  const code = (args: string, into: string) => {
    const command = `'${process.execPath}' '${resolve('bin/krisis.js')}' ${args}`;
    return spawnSync('bash', ['-c', `set -o pipefail; ${command} ${into}; exit \${PIPESTATUS[0]}`], { cwd })
      .status;
  };

  it.each([
    ['a short one', "report careful.db --assert 'accuracy > 0.99'", 1],
    ['a long one', "report careful.db --format html --assert 'accuracy > 0.99'", 1],
    [
      'of a run',
      "run ckd/staging --model simulated/careful --new --n-records 20 --bootstrap 20 --assert 'accuracy > 0.99'",
      1,
    ],
    ['of a gate that holds', "report careful.db --format json --assert 'accuracy > 0'", 0],
  ])('leaves the exit code as it is: %s', (_, args, expected) => {
    expect(code(args, '| true')).toBe(expected);
    expect(code(args, '2>&1 | head -1')).toBe(expected);
  });
});
