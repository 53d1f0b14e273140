import { describe, expect, it } from 'vitest';
import { UCI_CLASSES, UCI_FEATURES, uciColumn } from '../source/columns.ts';
import {
  type FrequencyColumn,
  PUBLISHED_FREQUENCIES,
  PUBLISHED_LEVELS,
  PUBLISHED_MISSING,
  PUBLISHED_QUANTILES,
  PUBLISHED_SPEARMAN,
  QUANTILE_PROBABILITIES,
  type QuantileColumn,
} from './published.ts';

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

describe('the published frequencies', () => {
  it('use the words and levels of the schema', () => {
    for (const [column, { abnormal, normal, n, of }] of Object.entries(PUBLISHED_FREQUENCIES)) {
      const { allowed } = uciColumn(column as FrequencyColumn) as { allowed: readonly string[] };
      expect([abnormal, normal].toSorted()).toEqual(allowed.toSorted());
      expect(n).toBeGreaterThan(0);
      expect(n).toBeLessThan(of);
    }
    for (const column of ['sg', 'su'] as const) {
      const { levels, counts } = PUBLISHED_LEVELS[column];
      expect(levels).toEqual((uciColumn(column) as { allowed: readonly number[] }).allowed);
      expect(counts).toHaveLength(levels.length);
    }
  });

  it('have 1012 missing cells in all', () => {
    expect(Object.keys(PUBLISHED_MISSING)).toEqual(UCI_FEATURES.map(({ name }) => name));
    expect(Object.values(PUBLISHED_MISSING).reduce((sum, { ckd, notckd }) => sum + ckd + notckd, 0)).toBe(
      1012,
    );
  });
});

describe('the published correlations', () => {
  it('have every column once, each with those before it', () => {
    expect(Object.keys(PUBLISHED_SPEARMAN)).toEqual(UCI_FEATURES.map(({ name }) => name));
    expect(Object.values(PUBLISHED_SPEARMAN).map(({ length }) => length)).toEqual(
      UCI_FEATURES.map((_, i) => i),
    );
  });
});
