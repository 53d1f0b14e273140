import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { stratifiedSplit } from '../../../suites/split/stratified.ts';
import { UCI_FEATURES } from '../source/columns.ts';
import type { UciRow } from '../source/inspect-text.ts';
import { readUciFile } from '../source/read-uci.ts';
import { isPossible } from '../source/row.ts';
import { fitImputer, type Imputation } from './imputer.ts';

const path = join(import.meta.dirname, '../../../../../shared/data/ckd/ckd_full.csv');

describe.skipIf(!existsSync(path))(
  'imputation of the UCI data (skipped unless ../shared/data/ckd is there)',
  () => {
    let train: UciRow[];
    let test: UciRow[];
    let filled: Imputation<UciRow>;
    beforeAll(async () => {
      const { rows } = await readUciFile(path);
      ({ train, test } = stratifiedSplit(rows, (row) => row.class, { testSize: 0.2, seed: 42 }));
      filled = fitImputer(train, UCI_FEATURES, { seed: 42 }).apply(test);
    });

    it('learns on 320 rows and fills 80', () => {
      expect(train).toHaveLength(320);
      expect(filled.rows).toHaveLength(80);
      const gaps = test.map(({ values }) => Object.values(values).filter((value) => value === null).length);
      expect(filled.imputed.map(({ length }) => length)).toEqual(gaps);
      expect(gaps.reduce((a, b) => a + b, 0)).toBeGreaterThan(100);
      for (const { values } of filled.rows) expect(Object.values(values)).not.toContain(null);
    });

    it('gives values that were observed and are possible', () => {
      for (const column of UCI_FEATURES) {
        const observed = new Set(train.map(({ values }) => values[column.name]));
        filled.rows.forEach(({ values }, i) => {
          if (!filled.imputed[i]!.includes(column.name)) return;
          expect(observed).toContain(values[column.name]);
          expect(isPossible(values[column.name], column)).toBe(true);
        });
      }
    });

    it('keeps haemoglobin and packed cells together: packed cells guessed from the rest beat the median', async () => {
      const known = test.filter(({ values }) => values.hemo !== null && values.pcv !== null);
      const masked = known.map((row) => ({ ...row, values: { ...row.values, pcv: null } }));
      const guesses = fitImputer(train, UCI_FEATURES, { seed: 42 }).apply(masked).rows;
      const observed = train.flatMap(({ values }) => values.pcv ?? []).map(Number);
      const median = observed.toSorted((a, b) => a - b)[observed.length >> 1]!;
      const squares = (guess: (i: number) => number) =>
        known.reduce((sum, { values }, i) => sum + (guess(i) - Number(values.pcv)) ** 2, 0);
      const ratio = Math.sqrt(squares((i) => Number(guesses[i]!.values.pcv)) / squares(() => median));
      expect(ratio).toBeLessThan(0.8);
    });
  },
);
