import { describe, expect, it } from 'vitest';
import { UCI_FEATURES } from '../source/columns.ts';
import { PUBLISHED_SPEARMAN } from './published-correlations.ts';

describe('the published correlations', () => {
  it('have every column once, each with those before it', () => {
    expect(PUBLISHED_SPEARMAN.map(([column]) => column)).toEqual(UCI_FEATURES.map(({ name }) => name));
    PUBLISHED_SPEARMAN.forEach((row, i) => {
      expect(row).toHaveLength(i + 1);
    });
  });
});
