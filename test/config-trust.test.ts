import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { confirmProgram } from '../src/cli/config/confirm-program.ts';
import { krisis } from './krisis.ts';

const folder = mkdtempSync(join(tmpdir(), 'krisis-trust-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Says that it ran by a file beside it. */
const PROGRAM = `import { writeFileSync } from 'node:fs';
writeFileSync(new URL('./ran', import.meta.url), '');
export default {};
`;
const SUITE =
  'name: own/table\nfile: data.csv\nid: id\nlabel: label\nlabels: ["0", "1"]\ninstructions: Which?\nsensitivity: public\n';

let cwd = '';
let home = '';
let n = 0;
beforeEach(() => {
  cwd = join(folder, `project-${n}`);
  home = join(folder, `user-${n++}`);
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'krisis.config.ts'), PROGRAM);
  writeFileSync(join(cwd, 'suite.yaml'), SUITE);
  writeFileSync(join(cwd, 'data.csv'), 'id,label,x\n1,0,5\n2,1,7\n');
  writeFileSync(join(cwd, 'answers.jsonl'), '{"id":"1","prediction":"0","ground_truth":"0"}\n');
});

const hasRun = () => existsSync(join(cwd, 'ran'));
const command = (args: readonly string[], more: Record<string, string> = {}) =>
  krisis(args, { cwd, env: { PATH: process.env.PATH, COLUMNS: '2000', KRISIS_CONFIG_DIR: home, ...more } });

const COMMANDS = [
  'run suite.yaml -m baseline/random --bootstrap 0',
  'run suite.yaml -m baseline/random --dry-run',
  'run ckd -m baseline/random',
  'judge --probes --judge baseline/lexical',
  'score answers.jsonl',
  'check',
  'check suite.yaml --export -',
  'plan --difference 0.03',
  'check krisis.config.ts',
  'check suite.yaml',
];

describe('a config that is a program', () => {
  it.each(COMMANDS)('is not run before it was confirmed: krisis %s', async (line) => {
    const { code, stdout, stderr } = await command(line.split(' '));
    expect([code, stdout, hasRun()]).toEqual([2, '', false]);
    expect(stderr).toContain('krisis.config.ts');
    expect(stderr).toContain('--trust-config');
    expect(existsSync(join(cwd, '.krisis'))).toBe(false);
  });

  it('is not run by krisis review before it was confirmed', async () => {
    renameSync(join(cwd, 'krisis.config.ts'), join(cwd, 'later.ts'));
    await command(['run', 'suite.yaml', '-m', 'baseline/random', '--run', 'r.db']);
    renameSync(join(cwd, 'later.ts'), join(cwd, 'krisis.config.ts'));
    const { code, stderr } = await command(['review', 'r.db', '--suite', 'suite.yaml', '--dry-run']);
    expect([code, stderr, hasRun()]).toEqual([2, expect.stringContaining('--trust-config'), false]);
  });

  it.each(['mts', 'js', 'mjs'])('is not run as krisis.config.%s either', async (ending) => {
    renameSync(join(cwd, 'krisis.config.ts'), join(cwd, `krisis.config.${ending}`));
    const { code } = await command(['check']);
    expect([code, hasRun()]).toEqual([2, false]);
  });

  it.each([
    [['check', '--trust-config'], {}],
    [['check'], { KRISIS_TRUST_CONFIG: '1' }],
    [['check', '--config', 'krisis.config.ts'], {}],
    [['check', 'krisis.config.ts', '--trust-config'], {}],
  ])('runs with %j %j, and is not remembered', async (args, more) => {
    expect([(await command(args, more)).code, hasRun()]).toEqual([0, true]);
    rmSync(join(cwd, 'ran'));
    expect([(await command(['check'])).code, hasRun()]).toEqual([2, false]);
  });

  it('is not run by --help, completion and commands that read no config', async () => {
    for (const line of ['run --help', 'complete -- run ""', 'list', 'validate answers.jsonl'])
      await command(line.split(' '));
    expect(hasRun()).toBe(false);
  });

  it('needs no confirmation where krisis init wrote it', async () => {
    const here = { cwd: join(cwd, 'new'), env: { PATH: process.env.PATH, KRISIS_CONFIG_DIR: home } };
    expect((await command(['init', 'score', 'new'])).code).toBe(0);
    expect((await krisis(['score', 'answers.jsonl'], here)).code).toBe(0);
    expect(statSync(join(home, 'trusted-configs.json')).mode & 0o777).toBe(0o600);
  });

  it('needs no confirmation where it is YAML', async () => {
    rmSync(join(cwd, 'krisis.config.ts'));
    writeFileSync(join(cwd, 'krisis.config.yaml'), '{}\n');
    expect((await command(['check'])).code).toBe(0);
  });
});

describe('a confirmation', () => {
  /** Confirms as a person at a terminal would. */
  async function answer(text: string): Promise<string> {
    const input = Object.assign(new PassThrough(), { isTTY: true });
    const output = Object.assign(new PassThrough(), { isTTY: true });
    let asked = '';
    output.on('data', (chunk: Buffer) => (asked += String(chunk)));
    vi.stubEnv('KRISIS_CONFIG_DIR', home);
    vi.stubEnv('KRISIS_TRUST_CONFIG', undefined);
    const streams = [vi.spyOn(process, 'stdin', 'get'), vi.spyOn(process, 'stderr', 'get')] as const;
    streams[0].mockReturnValue(input as never);
    streams[1].mockReturnValue(output as never);
    input.end(text);
    try {
      await confirmProgram(join(cwd, 'krisis.config.ts'), 'krisis.config.ts', { isNamed: false });
    } catch (error) {
      asked += (error as { code?: string }).code;
    } finally {
      for (const stream of streams) stream.mockRestore();
      vi.unstubAllEnvs();
    }
    return asked;
  }

  it('is asked for once, and holds for the path', async () => {
    expect(await answer('y\n')).toContain(
      'krisis.config.ts in this folder is a program and runs with your rights. Run it? [y/N]',
    );
    expect(await answer('')).toBe('');
    expect([(await command(['check'])).code, hasRun()]).toEqual([0, true]);
    writeFileSync(join(cwd, 'krisis.config.ts'), `${PROGRAM}// edited\n`);
    expect((await command(['check'])).code).toBe(0);
    const copy = `${cwd}-copy`;
    renameSync(cwd, copy);
    cwd = copy;
    expect((await command(['check'])).code).toBe(2);
  });

  it.each(['n\n', '', '\n', 'yes please\n'])('is not given by %j', async (text) => {
    expect(await answer(text)).toContain('ERR_CONFIG_NOT_CONFIRMED');
    expect([(await command(['check'])).code, hasRun()]).toEqual([2, false]);
  });

  it('does not pass to another file by a symbolic link', async () => {
    await answer('y\n');
    const other = join(folder, `other-${n}.ts`);
    writeFileSync(other, PROGRAM);
    rmSync(join(cwd, 'krisis.config.ts'));
    symlinkSync(other, join(cwd, 'krisis.config.ts'));
    expect((await command(['check'])).code).toBe(2);
  });

  it.each([
    ['others may write to', (list: string) => chmodSync(list, 0o666)],
    ['is not JSON', (list: string) => writeFileSync(list, 'x')],
    ['is not a list', (list: string) => writeFileSync(list, '{"a":1}')],
  ])('counts for nothing in a list that %s', async (_, spoil) => {
    await answer('y\n');
    const list = join(home, 'trusted-configs.json');
    expect(JSON.parse(readFileSync(list, 'utf8'))).toHaveLength(1);
    spoil(list);
    expect((await command(['check'])).code).toBe(2);
    await answer('y\n');
    expect((await command(['check'])).code).toBe(0);
  });

  it.skipIf(process.getuid?.() !== 0)('does not hold for a file of another user', async () => {
    await answer('y\n');
    chownSync(join(cwd, 'krisis.config.ts'), 65_534, 65_534);
    for (const args of [['check'], ['check', '--trust-config']]) {
      const { code, stderr } = await command(args);
      expect([code, stderr, hasRun()]).toEqual([2, expect.stringContaining('uid 65534'), false]);
      expect(stderr).toContain('--config krisis.config.ts');
    }
    expect((await command(['check', '--config', 'krisis.config.ts'])).code).toBe(0);
  });
});
