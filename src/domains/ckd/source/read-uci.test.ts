import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KrisisError } from '../../../core/errors.ts';
import { UCI_FEATURES, type UciFeature } from './columns.ts';
import { inspectUciText } from './inspect-text.ts';
import { readUciFile, type UciTable, validateUciFile } from './read-uci.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'krisis-uci-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function fileWith(content: string | Uint8Array): Promise<string> {
  const path = join(folder, 'data.csv');
  await writeFile(path, content);
  return path;
}

describe('readUciFile', () => {
  it('throws one error that lists 20 problems and counts the rest', async () => {
    const row =
      '1,2,1.02,0,0,normal,normal,present,present,95,28,0.9,141,4.2,14.8,45,7000,5.2,no,no,no,good,no,no,ckd';
    const header = [...UCI_FEATURES.map(({ name }) => name), 'class'].join(',');
    const path = await fileWith(`${header}\n${`${row}\n`.repeat(30)}`);
    const error = await readUciFile(path).then(
      () => null,
      (thrown: unknown) => thrown as KrisisError,
    );
    expect(error).toBeInstanceOf(KrisisError);
    const lines = error!.message.split('\n');
    expect(lines[0]).toContain('31 problems'); // 30 pressures of 2 mmHg, and one class
    expect(lines[1]).toBe(
      '  line 2, column bp (diastolic blood pressure): "2"; expected a number from 20 to 300 (mmHg), or ? or nothing for missing',
    );
    expect(lines).toHaveLength(22);
    expect(lines.at(-1)).toContain('and 11 more');
    expect(error!.value).toHaveLength(31);
    expect((await validateUciFile(path)).problems).toHaveLength(31);
  });

  it('says why a file cannot be read', async () => {
    await expect(readUciFile(join(folder, 'none.csv'))).rejects.toThrow('there is no such file');
    await expect(validateUciFile(folder)).rejects.toThrow('it is a folder');
    const path = await fileWith(new Uint8Array([0x61, 0xff, 0xfe]));
    await expect(validateUciFile(path)).rejects.toThrow('it is not UTF-8 text');
  });
});

const real = join(import.meta.dirname, '../../../../../shared/data/ckd');
const arff = join(real, 'chronic_kidney_disease_full.arff');
const csv = join(real, 'ckd_full.csv');
const skipped = !existsSync(arff) || !existsSync(csv);

describe.skipIf(skipped)('the real UCI files (skipped unless ../shared/data/ckd is there)', () => {
  let published: UciTable;
  let copy: UciTable;
  beforeAll(async () => {
    published = await readUciFile(arff);
    copy = await readUciFile(csv);
  });

  it('have 400 rows and 1012 of 9600 cells missing', () => {
    for (const { summary } of [published, copy]) {
      expect(summary).toMatchObject({
        rows: 400,
        classCounts: { ckd: 250, notckd: 150 },
        cells: 9600,
        missingCells: 1012,
        screenedCells: 11,
      });
    }
    const screened = (id: string) => published.screened.filter((cell) => cell.id === id).length;
    const complete = published.rows.filter(
      ({ id, values }) => Object.values(values).filter((value) => value === null).length === screened(id),
    );
    expect(complete.filter((row) => row.class === 'ckd')).toHaveLength(43);
    expect(complete.filter((row) => row.class === 'notckd')).toHaveLength(115);
    expect(
      published.rows.filter(({ values }) => values.age !== null && Number(values.age) < 18),
    ).toHaveLength(19);
  });

  it('are repaired at the known places', () => {
    const line = 142; // of data row 1
    expect(published.repairs.map((repair) => [repair.line - line, repair.kind])).toEqual([
      [70, 'trailing_empty_field'],
      [73, 'trailing_empty_field'],
      [370, 'doubled_comma'],
    ]);
    // In this copy the first empty field of the two rows was taken out in place of the last.
    expect(copy.repairs.map(({ id, kind, column }) => [id, kind, column])).toEqual([
      ['69', 'shifted_left', 'rbc'],
      ['72', 'shifted_left', 'rbc'],
    ]);
  });

  it('agree cell by cell', () => {
    const cells = ({ rows }: UciTable) => rows.map(({ id, values, class: label }) => ({ id, values, label }));
    expect(cells(copy)).toEqual(cells(published));
  });

  it.each<[string, (fields: string[]) => string[]]>([
    ['question marks and every defect kept', (fields) => fields],
    ['empty cells and every defect kept', (fields) => fields.map((cell) => cell.replace('?', ''))],
    ['fields beyond the header cut off', (fields) => fields.slice(0, 25)],
    ['both', (fields) => fields.slice(0, 25).map((cell) => cell.replace('?', ''))],
    ['numbers with a decimal point', (fields) => fields.map((cell) => cell.replace(/^\d+$/, '$&.0'))],
    ['a blank after each comma', (fields) => fields.map((cell) => ` ${cell}`)],
  ])('are the same in a copy with %s', async (_, change) => {
    const text = await readFile(arff, 'utf8');
    const lines = text
      .slice(text.search(/^@data/m))
      .trim()
      .split('\r\n')
      .slice(1);
    const header =
      'age,bp,sg,al,su,rbc,pc,pcc,ba,bgr,bu,sc,sod,pot,hemo,pcv,wc,rc,htn,dm,cad,appet,pe,ane,classification';
    const rows = lines.map((line, i) => [i, ...change(line.split(','))].join(','));
    const table = inspectUciText(['id', ...rows].join('\n').replace('id', `id,${header}`));
    expect(table.problems).toEqual([]);
    expect(table.rows.map(({ id, values, class: label }) => ({ id, values, label }))).toEqual(
      published.rows.map(({ id, values, class: label }) => ({ id, values, label })),
    );
  });

  // column; n and mean as published; then screened: mean, mean with CKD, mean without
  it.each<[UciFeature, number, number, number, number, number]>([
    ['age', 391, 51.48, 51.48, 54.54, 46.52],
    ['bp', 388, 76.47, 76.47, 79.62, 71.35],
    ['sg', 353, 1.017, 1.017, 1.014, 1.022],
    ['al', 354, 1.017, 1.017, 1.722, 0],
    ['su', 351, 0.4501, 0.4501, 0.767, 0],
    ['bgr', 356, 148, 148.4, 176.1, 107.7],
    ['bu', 381, 57.43, 57.25, 72.23, 32.8],
    ['sc', 383, 3.072, 2.695, 3.826, 0.869],
    ['sod', 313, 137.5, 138, 134.7, 141.7],
    ['pot', 312, 4.627, 4.38, 4.416, 4.338],
    ['hemo', 348, 12.53, 12.53, 10.65, 15.19],
    ['pcv', 329, 38.88, 38.88, 32.94, 46.34],
    ['wbcc', 294, 8406, 8406, 9070, 7706],
    ['rbcc', 269, 4.707, 4.695, 3.913, 5.379],
  ])('have the published numbers in %s', (column, n, mean, screened, ckd, notckd) => {
    const kept = (classes: string[]) =>
      published.rows
        .filter((row) => classes.includes(row.class))
        .flatMap(({ values }) => values[column] ?? [])
        .map(Number);
    const all = kept(['ckd', 'notckd']);
    const dropped = published.screened.filter((cell) => cell.column === column).map(({ value }) => value);
    expect(all.length + dropped.length).toBe(n);
    const means = [[...all, ...dropped], all, kept(['ckd']), kept(['notckd'])].map(
      (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
    );
    // The table has four digits, some of them rounded twice.
    [mean, screened, ckd, notckd].forEach((expected, i) => {
      expect(Math.abs(means[i]! - expected)).toBeLessThanOrEqual(6e-4 * expected);
    });
  });

  it.each<[UciFeature, string, number, number]>([
    ['rbc', 'abnormal', 47, 248],
    ['pc', 'abnormal', 76, 335],
    ['pcc', 'present', 42, 396],
    ['ba', 'present', 22, 396],
    ['htn', 'yes', 147, 398],
    ['dm', 'yes', 137, 398],
    ['cad', 'yes', 34, 398],
    ['appet', 'poor', 82, 399],
    ['pe', 'yes', 76, 399],
    ['ane', 'yes', 60, 399],
  ])('have the published count of %s = %s, all of them with CKD', (column, word, count, n) => {
    const known = published.rows.filter(({ values }) => values[column] !== null);
    expect(known).toHaveLength(n);
    const found = known.filter(({ values }) => values[column] === word);
    expect(found).toHaveLength(count);
    expect(found.every((row) => row.class === 'ckd')).toBe(true);
  });
});
