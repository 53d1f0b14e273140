import { describe, expect, it } from 'vitest';
import { KrisisError } from '../../../core/errors.ts';
import { createRandom, shuffle } from '../../../statistics/random.ts';
import type { UciColumn } from '../source/columns.ts';
import { uciColumn } from '../source/columns.ts';
import { type LabelledRow, learnRows, type SyntheticRow } from './learned-rows.ts';

const COLUMNS = (['hemo', 'pcv', 'al', 'ane'] as const).map(uciColumn);

/** In CKD packed cells are about three times haemoglobin and half of the cells are missing; else neither. */
function people(nCkd: number, nOther: number): LabelledRow[] {
  const random = createRandom(11);
  return Array.from({ length: nCkd + nOther }, (_, i) => {
    const ckd = i < nCkd;
    const hemo = (ckd ? 60 : 130) + random.integer(40);
    const pcv = ckd ? Math.round((3 * hemo) / 10) + random.integer(3) : 40 + random.integer(12);
    const gap = ckd && random.integer(2) === 0;
    return {
      class: ckd ? ('ckd' as const) : ('notckd' as const),
      values: {
        hemo: hemo / 10,
        pcv,
        al: gap ? null : ckd ? random.integer(6) : 0,
        ane: gap ? null : ckd && hemo < 85 ? 'yes' : 'no',
      },
    };
  });
}

const train = people(100, 60);
const rows = learnRows(train, COLUMNS, { n: 400, seed: 42 });

function correlation(list: readonly Pick<SyntheticRow, 'values'>[]): number {
  const pairs = list.map(({ values }) => [Number(values.hemo), Number(values.pcv)] as const);
  const mean = (at: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[at], 0) / pairs.length;
  const moment = (a: 0 | 1, b: 0 | 1) =>
    pairs.reduce((sum, pair) => sum + (pair[a] - mean(a)) * (pair[b] - mean(b)), 0);
  return moment(0, 1) / Math.sqrt(moment(0, 0) * moment(1, 1));
}

describe('learnRows', () => {
  it('gives n rows with the classes in proportion, all marked', () => {
    expect(rows).toHaveLength(400);
    expect(rows.filter((row) => row.class === 'ckd')).toHaveLength(250);
    for (const row of rows) expect(row).toMatchObject({ origin: 'synthetic', donorless: true });
    // in mixed order
    expect(new Set(rows.slice(0, 20).map((row) => row.class)).size).toBe(2);
  });

  it('stays within what the class was observed to have', () => {
    for (const label of ['ckd', 'notckd'] as const) {
      const seen = train.filter((row) => row.class === label);
      const drawn = rows.filter((row) => row.class === label);
      for (const name of ['hemo', 'pcv'] as const) {
        const observed = seen.map(({ values }) => Number(values[name]));
        for (const { values } of drawn) {
          expect(values[name]).toBeGreaterThanOrEqual(Math.min(...observed));
          expect(values[name]).toBeLessThanOrEqual(Math.max(...observed));
        }
      }
      for (const name of ['al', 'ane'] as const) {
        const observed = new Set([null, ...seen.map(({ values }) => values[name])]);
        for (const { values } of drawn) expect(observed).toContain(values[name]);
      }
    }
  });

  it('has the decimals of the column', () => {
    for (const { values } of rows) {
      expect(Math.round(Number(values.hemo) * 10) / 10).toBe(values.hemo);
      expect(Number.isInteger(values.pcv)).toBe(true);
    }
  });

  it('keeps how columns go together, within each class', () => {
    expect(correlation(rows.filter((row) => row.class === 'ckd'))).toBeGreaterThan(0.85);
    expect(Math.abs(correlation(rows.filter((row) => row.class === 'notckd')))).toBeLessThan(0.3);
    const anaemic = rows.filter(({ values }) => values.ane === 'yes');
    const mean = anaemic.reduce((sum, { values }) => sum + Number(values.hemo), 0) / anaemic.length;
    expect(mean).toBeLessThan(8.5);
  });

  it('has gaps that say nothing about the class', () => {
    const many = learnRows(train, COLUMNS, { n: 4000, seed: 1 });
    const share = (label: string) => {
      const own = many.filter((row) => row.class === label);
      return own.filter(({ values }) => values.al === null).length / own.length;
    };
    const overall = train.filter(({ values }) => values.al === null).length / train.length;
    expect(overall).toBeGreaterThan(0.2);
    for (const label of ['ckd', 'notckd']) expect(Math.abs(share(label) - overall)).toBeLessThan(0.05);
    for (const { values } of many) expect(values.al === null).toBe(values.ane === null);
  });

  it('depends on seed and training rows, not on their order', () => {
    expect(learnRows(train, COLUMNS, { n: 400, seed: 42 })).toEqual(rows);
    expect(learnRows(shuffle(createRandom(1), [...train]), COLUMNS, { n: 400, seed: 42 })).toEqual(rows);
    expect(learnRows(train, COLUMNS, { n: 400, seed: 43 })).not.toEqual(rows);
  });

  it('leaves a column empty that is empty everywhere', () => {
    const drawn = learnRows(train, [...COLUMNS, uciColumn('sex')], { n: 5, seed: 1 });
    for (const { values } of drawn) expect(values.sex).toBeNull();
  });

  it('gives none when none are asked for', () => {
    expect(learnRows([], COLUMNS, { n: 0, seed: 1 })).toEqual([]);
  });

  it('learns from one class alone, or from one row', () => {
    expect(learnRows(train.slice(0, 50), COLUMNS, { n: 3, seed: 1 }).map((row) => row.class)).toEqual([
      'ckd',
      'ckd',
      'ckd',
    ]);
    expect(learnRows(train.slice(-1), COLUMNS, { n: 1, seed: 1 })[0]!.values).toEqual(train.at(-1)!.values);
  });

  it('refuses what would give the class away, and what it cannot learn from', () => {
    const oneSided = train.map((row) =>
      row.class === 'ckd' ? row : { ...row, values: { ...row.values, al: null } },
    );
    expect(() => learnRows(oneSided, COLUMNS, { n: 5, seed: 1 })).toThrow('no training row of class notckd');
    const label = { ...uciColumn('htn'), name: 'class' } as UciColumn;
    expect(() => learnRows(train, [label], { n: 5, seed: 1 })).toThrow('"class" is not a feature');
    expect(() => learnRows([], COLUMNS, { n: 5, seed: 1 })).toThrow(KrisisError);
    expect(() => learnRows(train, COLUMNS, { n: -1, seed: 1 })).toThrow(KrisisError);
    expect(() => learnRows(train, COLUMNS, { n: 2.5, seed: 1 })).toThrow(KrisisError);
  });
});
