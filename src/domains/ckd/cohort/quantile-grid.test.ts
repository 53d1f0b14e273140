import { describe, expect, it } from 'vitest';
import {
  interpolate,
  PUBLISHED_QUANTILES,
  type QuantileColumn,
  scoreOfValue,
  valueAtScore,
} from './published.ts';

const COLUMNS = Object.keys(PUBLISHED_QUANTILES) as QuantileColumn[];

describe('valueAtScore', () => {
  it('rises with the score and stays inside the published range', () => {
    for (const column of COLUMNS) {
      const values = [-9, -2, -1, 0, 1, 2, 9].map((score) => valueAtScore(column, 'ckd', score));
      expect(values).toEqual(values.toSorted((a, b) => a - b));
      expect(values[0]).toBe(PUBLISHED_QUANTILES[column].ckd[0]);
      expect(values[6]).toBe(PUBLISHED_QUANTILES[column].ckd[22]);
    }
  });
});

describe('scoreOfValue', () => {
  it('inverts valueAtScore', () => {
    for (const score of [-2.3, -0.7, 0.4, 1.9]) {
      expect(scoreOfValue('sc', 'ckd', valueAtScore('sc', 'ckd', score))).toBeCloseTo(score, 9);
    }
  });

  it('takes the middle of a tie and the ends beyond them', () => {
    // 1.2 is at 0.80 to 1 in the notckd column
    expect(scoreOfValue('sc', 'notckd', 1.2)).toBeCloseTo((0.8416 + 2.6534) / 2, 3);
    expect(scoreOfValue('sc', 'notckd', 0.1)).toBeCloseTo(-2.6534, 3);
  });
});

describe('interpolate', () => {
  it('is flat beyond the ends', () => {
    expect([0, 1, 1.5, 2, 3].map((x) => interpolate([1, 2], [10, 20], x))).toEqual([10, 10, 15, 20, 20]);
  });
});
