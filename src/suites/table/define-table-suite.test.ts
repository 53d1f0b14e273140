import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { defineTableSuite } from './define-table-suite.ts';
import type { TableDefinition } from './definition.ts';

const folder = mkdtempSync(join(tmpdir(), 'krisis-table-'));
afterAll(() => rmSync(folder, { recursive: true }));

function createSuite(content: string | Buffer, definition: Partial<TableDefinition> = {}, file = 'x.csv') {
  writeFileSync(join(folder, file), content);
  return defineTableSuite({
    name: 'own/x',
    folder,
    file,
    label: 'dx',
    instructions: 'Answer.',
    ...definition,
  });
}

const rows = Array.from({ length: 20 }, (_, i) => ({ na: 120 + i, dx: i % 4 === 0 ? 'low' : 'ok' }));
const csv = ['na,dx', ...rows.map(({ na, dx }) => `${na},${dx}`)].join('\n');

it('is protected by default, and evaluates every row', async () => {
  const suite = createSuite(csv);
  expect(suite.sensitivity).toBe('protected');
  expect(await suite.load()).toHaveLength(20);
  expect(await suite.training!()).toEqual([]);
  expect(await suite.describe()).toMatchObject({
    name: 'own/x',
    task: 'own/x',
    domain: 'own',
    sensitivity: 'protected',
    nRecords: 20,
    nTraining: 0,
    labels: expect.arrayContaining([
      { name: 'ok', n: 15 },
      { name: 'low', n: 5 },
    ]),
    settings: { file: 'x.csv', columns: ['na'], missing: ['', 'NA', 'N/A', '?', 'null'] },
    provenance: { file_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    warnings: [],
  });
  expect(suite.task.labels).toEqual(['low', 'ok']);
});

it('keeps a training part apart, stratified by the label and the same for the same seed', async () => {
  const suite = createSuite(csv, { testSize: 0.4, seed: 7 });
  const test = await suite.load();
  const train = await suite.training!();
  expect(test.filter(({ label }) => label === 'low')).toHaveLength(2);
  expect(test).toHaveLength(8);
  const ids = [...test, ...train].map(({ id }) => id);
  expect(new Set(ids).size).toBe(20);
  expect(await createSuite(csv, { testSize: 0.4, seed: 7 }).load()).toEqual(test);
  expect(await createSuite(csv, { testSize: 0.4, seed: 8 }).load()).not.toEqual(test);
  expect((await suite.describe()).settings).toMatchObject({ test_size: 0.4, seed: 7 });
  await expect(createSuite(csv, { testSize: 20 }).load()).rejects.toThrow('testSize is 20');
});

it('gives the same suite from CSV, TSV and JSONL', async () => {
  const hashes = await Promise.all([
    createSuite(csv).describe(),
    createSuite(csv.replaceAll(',', '\t').replaceAll('\n', '\r\n'), {}, 'x.tsv').describe(),
    createSuite(rows.map((row) => JSON.stringify(row)).join('\n'), {}, 'x.jsonl').describe(),
  ]);
  expect(new Set(hashes.map(({ hash }) => hash)).size).toBe(1);
});

it('reads a table of a European spreadsheet like any other, and says what it detected', async () => {
  const european = csv.replaceAll(',', ';').replace(/^(\d+);/gm, '$1,5;');
  const suite = createSuite(Buffer.from(european.replace('na;', 'Größe;'), 'latin1'));
  expect((await suite.load())[0]!.features).toEqual({ Größe: 120.5 });
  const { settings, warnings, hash } = await suite.describe();
  expect(settings).toMatchObject({
    file_encoding: 'windows-1252',
    file_delimiter: 'semicolon',
    file_decimal: 'comma',
    file_detected: ['encoding', 'delimiter', 'decimal'],
  });
  expect(warnings[0]).toContain('was read as Windows-1252');
  const plain = csv.replace(/^(\d+),/gm, '$1.5,').replace('na,', 'Größe,');
  expect((await createSuite(plain).describe()).hash).toBe(hash);
});

it('does as stated, and asks where a number can mean two', async () => {
  const text = 'na;dx\n1,234;a\n2;b\n';
  await expect(createSuite(text).load()).rejects.toMatchObject({ code: 'ERR_FILE_AMBIGUOUS' });
  const first = async (decimal: '.' | ',') => (await createSuite(text, { decimal }).load())[0]!.features.na;
  expect([await first(','), await first('.')]).toEqual([1.234, 1234]);
  const stated = createSuite(text, { decimal: ',', delimiter: ';', encoding: 'utf-8' });
  expect((await stated.describe()).settings.file_detected).toEqual([]);
  await expect(createSuite(text, { delimiter: ',' }).load()).rejects.toThrow(
    'fields separated by semicolons',
  );
  expect(() => createSuite('{"na":1}', { decimal: ',' }, 'x.jsonl')).toThrow(
    'JSON and Parquet have a form of their own',
  );
});

it('names the column of the patient, and keeps it as metadata', async () => {
  const suite = createSuite('na,dx,patient\n1,a,p1\n2,b,p1\n3,a,p2\n', {
    columns: ['na'],
    cluster: 'patient',
  });
  expect(suite.cluster).toBe('patient');
  expect((await suite.load()).map(({ metadata }) => metadata.patient)).toEqual(['p1', 'p1', 'p2']);
});

it('reads the file only when it is needed, and names it when it is wrong', async () => {
  const definition = { name: 'own/x', folder, file: 'none.csv', label: 'dx', instructions: 'Answer.' };
  const suite = defineTableSuite(definition);
  expect(suite.name).toBe('own/x');
  expect(() => suite.task).toThrow('there is no such file');
  await expect(suite.load()).rejects.toThrow('none.csv');
  expect(defineTableSuite({ ...definition, labels: ['a', 'b'] }).task.labels).toEqual(['a', 'b']);
  await expect(createSuite('na,dx\n1,a\n2,c\n', { labels: ['a', 'b'] }).describe()).rejects.toThrow(
    /x\.csv" has a problem:\n {2}line 3, column "dx": "c"; expected one of "a", "b"$/,
  );
});

it('refuses a positive label that the file does not have', async () => {
  await expect(createSuite(csv, { positiveLabel: 'high' }).load()).rejects.toThrow('positive label "high"');
});

it('refuses a wrong definition at once', () => {
  expect(() => createSuite(csv, { ordered: true })).toThrow('labels is not given');
});
