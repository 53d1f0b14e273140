import { describe, expect, it } from 'vitest';
import { UCI_FEATURES, uciColumn } from '../source/columns.ts';
import {
  type FrequencyColumn,
  PUBLISHED_FREQUENCIES,
  PUBLISHED_LEVELS,
  PUBLISHED_MISSING,
} from './published-frequencies.ts';

describe('the published frequencies', () => {
  it('use the words and levels of the schema', () => {
    for (const [column, { abnormal, normal, share }] of Object.entries(PUBLISHED_FREQUENCIES)) {
      const { allowed } = uciColumn(column as FrequencyColumn) as { allowed: readonly string[] };
      expect([abnormal, normal].toSorted()).toEqual(allowed.toSorted());
      expect(share).toBeGreaterThan(0);
      expect(share).toBeLessThan(1);
    }
    for (const column of ['sg', 'su'] as const) {
      const { levels, counts } = PUBLISHED_LEVELS[column];
      expect(levels).toEqual((uciColumn(column) as { allowed: readonly number[] }).allowed);
      expect(counts).toHaveLength(levels.length);
    }
  });

  it('have 1012 missing cells in all', () => {
    expect(Object.keys(PUBLISHED_MISSING)).toEqual(UCI_FEATURES.map(({ name }) => name));
    expect(Object.values(PUBLISHED_MISSING).reduce((sum, [ckd, notckd]) => sum + ckd + notckd, 0)).toBe(1012);
  });
});
