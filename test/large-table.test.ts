import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';

const N = 60_000;
const cwd = mkdtempSync(join(tmpdir(), 'krisis-large-'));
afterAll(() => rmSync(cwd, { recursive: true }));

const rows = Array.from({ length: N }, (_, i) => {
  const sodium = 120 + ((i * 7919) % 400) / 10;
  const note = `"dizzy, bed ${i % 40}, seen ${(i * 31) % 9973} times"`;
  return `S${i},${18 + (i % 80)},${sodium.toFixed(1)},${(i % 97) / 10},${note},site-${i % 9},${sodium < 135 ? 'low' : 'normal'}`;
});
writeFileSync(
  join(cwd, 'large.csv'),
  `study_id,age,sodium,glucose,note,site,diagnosis\n${rows.join('\n')}\n`,
);
const suite = (more: string) =>
  `name: own/large\nfile: large.csv\nlabel: diagnosis\ngroups: [site]\ninstructions: Classify.\n${more}`;
writeFileSync(join(cwd, 'suite.yaml'), suite('id: study_id\n'));
writeFileSync(join(cwd, 'split.yaml'), suite('sensitivity: public\nmetadata: [study_id]\ntest_size: 0.5\n'));

/** All rows as objects take several times this heap. */
function krisisInLittleMemory(...args: string[]) {
  const flags = ['--max-old-space-size=64', '--max-semi-space-size=4', resolve('bin/krisis.js')];
  return spawnSync(process.execPath, [...flags, ...args], { cwd, encoding: 'utf8' });
}

it('is checked without its rows in memory', () => {
  const { status, stdout, stderr } = krisisInLittleMemory('check', 'suite.yaml');
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout.replaceAll('\n', ' ')).toContain(`${N} cases`);
});

it('is split and counted without its rows in memory', () => {
  const { status, stdout } = krisisInLittleMemory('check', 'split.yaml', '--json');
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ n_total_eval_records: N / 2, n_training_records: N / 2 });
});

it('is asked about in part without the rest in memory, though it is protected', () => {
  const run = ['run', 'suite.yaml', '--model', 'baseline/random', '--limit', '50', '--run', 'a.db', '--json'];
  const { status, stdout, stderr } = krisisInLittleMemory(...run);
  expect([status, stderr]).toEqual([0, expect.any(String)]);
  expect(JSON.parse(stdout).ledger.n).toBe(50);
});
