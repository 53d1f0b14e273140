import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schemaAddress } from '../src/core/json-schema.ts';
import { temporaryFolder } from './engine-fixture.ts';
import { krisis } from './krisis.ts';
import { HOSTILE, writeRun } from './viewer-fixture.ts';

/** Notes on runs, and deleting runs, from the command line. */

const folder = temporaryFolder();
const runs = folder.file('.krisis/runs');
const inFolder = (...args: string[]) => krisis(args, { cwd: folder.path });
const listed = async (...args: string[]) =>
  JSON.parse((await inFolder('list', '--json', ...args)).stdout).runs;

beforeAll(async () => {
  mkdirSync(runs, { recursive: true });
  for (const name of ['one', 'two', 'gone'])
    await writeRun(join(runs, `${name}.db`), { n: 3, model: `unit/${name}` });
});
afterAll(folder.remove);

describe('krisis runs note', () => {
  it('names, tags and annotates a run, and says what there is', async () => {
    expect((await inFolder('runs', 'note', 'one')).stdout).toContain('one.db: no notes');
    await inFolder('runs', 'note', 'one', '--name', 'First', '--tag', 'a,b');
    const { stdout } = await inFolder(
      'runs',
      'note',
      'one',
      '--note',
      'two\nlines',
      '--untag',
      'a',
      '--tag',
      'c',
    );
    expect(stdout).toBe('.krisis/runs/one.db\n  name: First\n  tags: b, c\n  note: two\n        lines\n');
    const { stdout: json } = await inFolder('runs', 'note', 'one', '--json');
    expect(JSON.parse(json)).toEqual({
      $schema: schemaAddress('note'),
      run_file: '.krisis/runs/one.db',
      name: 'First',
      note: 'two\nlines',
      tags: ['b', 'c'],
      hidden: false,
    });
    expect(await listed('--tag', 'b')).toMatchObject([
      { model: 'unit/one', name: 'First', tags: ['b', 'c'] },
    ]);
    const { stdout: list } = await inFolder('list');
    expect(list).toMatch(/name .* tags/);
    expect(list).toMatch(/First .* b, c/);
    expect((await inFolder('list', '--tag', 'x')).stdout).toContain('has the tag x');
  });

  it('hides a run from lists until it is shown again', async () => {
    await inFolder('runs', 'note', 'two', '--hide');
    const { stdout, stderr } = await inFolder('list');
    expect([stdout.includes('unit/two'), stderr]).toEqual([false, '1 hidden; --all lists it, too\n']);
    expect((await inFolder('list', '--all')).stdout).toContain('(hidden)');
    expect(await listed()).toHaveLength(3);
    await inFolder('runs', 'note', 'two', '--show');
    expect((await inFolder('list')).stdout).toContain('unit/two');
    expect(existsSync(join(runs, 'two.notes.json'))).toBe(false);
  });

  it('prints hostile text as text', async () => {
    await inFolder('runs', 'note', 'two', '--name', HOSTILE, '--note', `\u001b[2J${HOSTILE}`);
    for (const args of [['runs', 'note', 'two'], ['list']]) {
      const { stdout } = await inFolder(...args);
      expect(stdout).not.toContain('\u001b');
      expect(stdout).toContain('<img');
    }
    await inFolder('runs', 'note', 'two', '--name', '', '--note', '');
  });

  it('refuses what does not go together, and names a file that is not notes', async () => {
    expect(await inFolder('runs', 'note', 'one', '--hide', '--show')).toMatchObject({ code: 2 });
    expect((await inFolder('runs', 'note', 'one', '--untag', 'zz')).stderr).toContain(
      'does not have this tag; it has b, c',
    );
    expect((await inFolder('runs', 'note', 'one', '--name', 'x'.repeat(201))).stderr).toContain('name');
    writeFileSync(join(runs, 'two.notes.json'), '[]');
    expect((await inFolder('runs', 'note', 'two')).code).toBe(2);
    const { code, stdout, stderr } = await inFolder('list');
    expect([code, stdout.includes('unit/two')]).toEqual([0, true]);
    expect(stderr).toContain('! .krisis/runs/two.notes.json: ');
    await inFolder('runs', 'rm', 'two', '--yes');
  });
});

describe('krisis runs rm', () => {
  it('asks first, and deletes nothing where it cannot', async () => {
    const { code, stderr } = await inFolder('runs', 'rm', 'gone');
    expect([code, stderr]).toEqual([2, expect.stringContaining('add --yes')]);
    expect(await inFolder('runs', 'rm', 'gone', '--json')).toMatchObject({ code: 2 });
    expect(existsSync(join(runs, 'gone.db'))).toBe(true);
  });

  it('deletes a run with its notes, and leaves the others', async () => {
    await inFolder('runs', 'note', 'gone', '--tag', 'a');
    const { stdout } = await inFolder('runs', 'rm', 'gone', '--yes', '--json');
    expect(JSON.parse(stdout).removed).toEqual(['.krisis/runs/gone.notes.json', '.krisis/runs/gone.db']);
    expect(readdirSync(runs).filter((name) => name.startsWith('gone'))).toEqual([]);
    expect(existsSync(join(runs, 'one.db'))).toBe(true);
  });

  it('refuses a file that is not a run', async () => {
    writeFileSync(folder.file('letters.db'), 'dear');
    expect(await inFolder('runs', 'rm', 'letters.db', '--yes')).toMatchObject({ code: 2 });
    expect(existsSync(folder.file('letters.db'))).toBe(true);
  });
});
