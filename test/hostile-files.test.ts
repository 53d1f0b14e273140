import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { krisis } from './krisis.ts';
import { pageBomb } from './page-bomb.ts';
import { rounds } from './torture/rounds.ts';

const cwd = mkdtempSync(join(tmpdir(), 'krisis-hostile-'));
const runs = join(cwd, '.krisis/runs');
const good = join(cwd, 'good.db');
afterAll(() => rmSync(cwd, { recursive: true }));
const inFolder = (...args: string[]) => krisis(args, { cwd });
const NAME = 'Erika Mustermann';

beforeAll(async () => {
  mkdirSync(runs, { recursive: true });
  const model = ['--model', 'simulated/careful', '--bootstrap', '0'];
  await inFolder('run', 'ckd/staging', '--n-records', '20', ...model, '--run', good);
  cpSync(good, join(runs, 'good.db'));
});

/** A copy of the good run that was made hostile. */
function hostile(name: string, sql: string): string {
  const path = join(runs, `${name}.db`);
  cpSync(good, path);
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
  return path;
}

/** Files that are refused as soon as they are opened. */
const SCHEMAS: readonly (readonly [string, string, string])[] = [
  [
    'recursive-view',
    'ALTER TABLE rows RENAME TO real_rows; CREATE VIEW rows AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT * FROM n, real_rows',
    'it has a table "real_rows" that is not ours',
  ],
  ['view', 'CREATE VIEW more AS SELECT 1', 'it has a view "more"'],
  ['trigger', 'CREATE TRIGGER t AFTER INSERT ON rows BEGIN DELETE FROM rows; END', 'it has a trigger "t"'],
  ['table', 'CREATE TABLE extra (a)', 'it has a table "extra" that is not ours'],
  ['virtual-table', 'CREATE VIRTUAL TABLE v USING fts5(a)', 'it has a virtual table "v"'],
  ['index', 'CREATE INDEX i ON rows (abs(confidence))', 'it has an index "i" that is not ours'],
  [
    'generated-column',
    'ALTER TABLE records ADD COLUMN g TEXT GENERATED ALWAYS AS (hex(zeroblob(100000000))) VIRTUAL',
    'it has other columns in the table "records"',
  ],
  ['dropped-table', 'DROP TABLE judgements', 'it has no table "judgements"'],
];

/** Files with a value that no version writes. */
const CELLS: readonly (readonly [string, string])[] = [
  ['state', `UPDATE rows SET state = '${NAME}'`],
  ['confidence-text', `UPDATE rows SET confidence = '${NAME}'`],
  ['prediction', `UPDATE rows SET prediction = '{"a": "${NAME}"}'`],
  ['metadata', `UPDATE records SET metadata = '"${NAME}"'`],
  ['label', `UPDATE records SET label = '${NAME}'`],
  [
    'deep-metadata',
    `UPDATE records SET metadata = '{"a":' || replace(hex(zeroblob(50000)), '00', '[') || replace(hex(zeroblob(50000)), '00', ']') || '}'`,
  ],
  ['big-integer', 'UPDATE rows SET reply_start = 9007199254740993'],
];

describe.each(SCHEMAS)('a file with %s', (name, sql, reason) => {
  it('is refused by every command that opens it', async () => {
    const path = hostile(name, sql);
    for (const args of [
      ['report', path],
      ['runs', 'verify', path],
      ['runs', 'import', path, '--force'],
      ['runs', 'export', path, '-o', join(cwd, `${name}.krisis`)],
      ['run', 'ckd/staging', '--n-records', '20', '--model', 'simulated/careful', '--run', path],
    ]) {
      const { code, stdout, stderr } = await inFolder(...args);
      expect([args[0], code]).toEqual([args[0], 2]);
      expect(stdout + stderr).toContain(reason);
    }
  });
});

describe.each(CELLS)('a file with an unexpected %s', (name, sql) => {
  it('is reported as damaged, without quoting it', async () => {
    const path = hostile(`cell-${name}`, sql);
    const { code, stdout, stderr } = await inFolder('report', path, '--format', 'json');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('damaged');
    expect(stderr).not.toContain(NAME);
    const verified = await inFolder('runs', 'verify', path);
    // JavaScript cannot hold such an integer, so that the entry cannot be read at all.
    expect(verified.code).toBe(name === 'big-integer' ? 2 : 1);
    expect(verified.stdout).not.toContain(NAME);
  });
});

describe('a file with', () => {
  it('deep JSON in its manifest is refused', async () => {
    const path = hostile(
      'deep-manifest',
      `UPDATE events SET data = '{"suite":' || replace(hex(zeroblob(50000)), '00', '[') || replace(hex(zeroblob(50000)), '00', ']') || '}' WHERE seq = 1`,
    );
    expect(await inFolder('report', path)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('nested too deeply'),
    });
  });

  it('a blob that would fill the memory is refused', async () => {
    const path = hostile('huge', 'UPDATE events SET data = zeroblob(70000000) WHERE seq = 1');
    for (const args of [
      ['report', path],
      ['runs', 'verify', path],
      ['runs', 'import', path, '--force'],
    ])
      expect([args[0], (await inFolder(...args)).code]).toEqual([args[0], 2]);
    rmSync(path);
  });

  it('more repeats than anyone asks for ends', async () => {
    const path = hostile(
      'repeats',
      "UPDATE events SET data = json_set(data, '$.identity.repeats', 1e15) WHERE data -> '$.identity' IS NOT NULL",
    );
    expect((await inFolder('report', path, '--bootstrap', '0')).code).toBe(0);
  });

  it.each(['records', 'rows', 'events'])(
    'pages of %s that are counted again and again ends',
    async (table) => {
      const path = pageBomb(good, join(runs, `bomb-${table}.db`), table);
      const { code, stdout } = await inFolder('runs', 'verify', path);
      expect([code, stdout]).toEqual([2, expect.stringContaining('damaged')]);
      expect((await inFolder('runs', 'import', path, '--force')).code).toBe(2);
      expect((await inFolder('report', path)).code).toBe(2);
      const { code: listed } = await inFolder('list');
      expect(listed).toBe(0);
    },
  );

  it('any byte changed is read, refused, or shown to be changed; it never crashes or hangs', async () => {
    const bytes = readFileSync(good);
    const path = join(runs, 'flipped.db');
    const codes = new Set<number | null>();
    for (let i = 0; i < rounds(30); i++) {
      const flipped = Buffer.from(bytes);
      // A fixed walk over the file, header and schema first.
      for (let k = 0; k < 4; k++)
        flipped[i < 12 ? 16 + i * 5 + k : (i * 7919 + k * 104729) % bytes.length]! ^= 0x55;
      writeFileSync(path, flipped);
      for (const args of [
        ['runs', 'verify', path],
        ['report', path, '--format', 'metrics-json', '--bootstrap', '0'],
      ]) {
        const { code, stderr } = await inFolder(...args);
        codes.add(code);
        expect([i, code, stderr]).not.toEqual([i, 70, expect.anything()]);
      }
    }
    expect([...codes].every((code) => [0, 1, 2, 3].includes(code!))).toBe(true);
  });
});

const makePipe = (name: string) => execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', join(runs, name)]);

describe('what is not a file', () => {
  it('is named, and not waited for', async () => {
    makePipe('pipe.db');
    mkdirSync(join(runs, 'folder.db'));
    symlinkSync('/dev/zero', join(runs, 'device.db'));
    cpSync(good, join(runs, 'locked.db'));
    makePipe('locked.db.lock');
    writeFileSync(join(runs, 'text.db'), NAME);
    const { code, stderr } = await inFolder('list');
    expect(code).toBe(0);
    for (const name of ['pipe', 'folder', 'device', 'locked', 'text']) expect(stderr).toContain(`${name}.db`);
    for (const name of ['pipe', 'folder', 'device', 'locked', 'text'])
      for (const command of ['report', 'verify'])
        expect([name, (await inFolder(command, join(runs, `${name}.db`))).code]).toEqual([name, 2]);
  });
});

describe('krisis list', () => {
  it('lists the good run, and names the others', async () => {
    const { code, stdout } = await inFolder('list', '--json');
    expect(code).toBe(0);
    const { runs: listed, unreadable } = JSON.parse(stdout);
    const files = readdirSync(runs).filter((file) => file.endsWith('.db'));
    expect(listed.length + unreadable.length).toBe(files.length);
    expect(listed.map(({ run_file }: { run_file: string }) => run_file)).toContain('.krisis/runs/good.db');
    for (const [name] of SCHEMAS)
      expect(unreadable.map(({ path }: { path: string }) => path)).toContain(`.krisis/runs/${name}.db`);
  });
});
