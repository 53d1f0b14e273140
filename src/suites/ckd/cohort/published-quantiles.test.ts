import { describe, expect, it } from 'vitest';
import { UCI_CLASSES, uciColumn } from '../source/columns.ts';
import { PUBLISHED_QUANTILES, QUANTILE_PROBABILITIES, type QuantileColumn } from './published-quantiles.ts';

const COLUMNS = Object.keys(PUBLISHED_QUANTILES) as QuantileColumn[];

describe('the published quantiles', () => {
  it('have 23 values per column and class, never falling', () => {
    expect(QUANTILE_PROBABILITIES).toHaveLength(23);
    for (const column of COLUMNS) {
      for (const from of UCI_CLASSES) {
        const values: readonly number[] = PUBLISHED_QUANTILES[column][from];
        expect(values).toHaveLength(23);
        expect(values).toEqual(values.toSorted((a, b) => a - b));
      }
    }
  });

  it('are possible values', () => {
    for (const column of COLUMNS) {
      const { range } = uciColumn(column) as { range: readonly [number, number] };
      for (const value of [...PUBLISHED_QUANTILES[column].ckd, ...PUBLISHED_QUANTILES[column].notckd]) {
        expect(value).toBeGreaterThanOrEqual(range[0]);
        expect(value).toBeLessThanOrEqual(range[1]);
      }
    }
  });
});
