import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { stratifiedSplit } from '../../../suites/split/stratified.ts';
import { UCI_FEATURES } from '../source/columns.ts';
import type { UciRow } from '../source/inspect-text.ts';
import { readUciFile } from '../source/read-uci.ts';
import { isPossible } from '../source/row.ts';
import { learnRows, type SyntheticRow } from './learned-rows.ts';

const path = join(import.meta.dirname, '../../../../../shared/data/ckd/ckd_full.csv');

describe.skipIf(!existsSync(path))(
  'rows learned from the UCI data (skipped unless ../shared/data/ckd is there)',
  () => {
    let train: UciRow[];
    let drawn: SyntheticRow[];
    beforeAll(async () => {
      const { rows } = await readUciFile(path);
      ({ train } = stratifiedSplit(rows, (row) => row.class, { testSize: 0.2, seed: 42 }));
      drawn = learnRows(train, UCI_FEATURES, { n: 1600, seed: 42 });
    });

    it('have the classes of the training part', () => {
      expect(drawn.filter((row) => row.class === 'ckd')).toHaveLength(1000);
    });

    it('are possible, and within what the class was observed to have', () => {
      for (const column of UCI_FEATURES) {
        for (const label of ['ckd', 'notckd']) {
          const observed = train
            .filter((row) => row.class === label)
            .flatMap(({ values }) => values[column.name] ?? []);
          for (const row of drawn) {
            const value = row.values[column.name] ?? null;
            if (row.class !== label || value === null) continue;
            expect(isPossible(value, column)).toBe(true);
            if (column.kind === 'numeric') {
              const numbers = observed.map(Number);
              expect(Number(value)).toBeGreaterThanOrEqual(Math.min(...numbers));
              expect(Number(value)).toBeLessThanOrEqual(Math.max(...numbers));
            } else expect(observed).toContain(value);
          }
        }
      }
    });

    it('keep haemoglobin and packed cells together in CKD', () => {
      const pairs = drawn
        .filter((row) => row.class === 'ckd')
        .flatMap(({ values: { hemo, pcv } }) =>
          typeof hemo === 'number' && typeof pcv === 'number' ? [{ hemo, pcv }] : [],
        );
      const middle = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;
      const [hemo, pcv] = [middle(pairs.map((pair) => pair.hemo)), middle(pairs.map((pair) => pair.pcv))];
      const sameSide = pairs.filter((pair) => pair.hemo > hemo === pair.pcv > pcv).length;
      expect(sameSide / pairs.length).toBeGreaterThan(0.75);
    });

    it('copy no patient', () => {
      const known = new Set(train.map(({ values }) => JSON.stringify(values)));
      for (const { values } of drawn) expect(known).not.toContain(JSON.stringify(values));
    });
  },
);
