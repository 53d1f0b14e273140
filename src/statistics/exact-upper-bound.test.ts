import { describe, expect, it } from 'vitest';
import { exactUpperBound } from './proportions.ts';
import { binomialCdf } from './special-functions.ts';

describe('exactUpperBound', () => {
  it('agrees with the closed form for no errors: 1 - alpha^(1/n)', () => {
    for (const n of [1, 50, 3000]) expect(exactUpperBound(0, n)).toBeCloseTo(1 - 0.05 ** (1 / n), 10);
  });

  it('is the share at which so few errors have probability 1 - level', () => {
    for (const [errors, n, level] of [
      [7, 180, 0.95],
      [40, 1000, 0.9],
      [1, 3, 0.99],
    ] as const)
      expect(binomialCdf(errors, n, exactUpperBound(errors, n, level)!)).toBeCloseTo(1 - level, 9);
  });

  it('is 1 when all are wrong, null without rows, and refuses what is not a count', () => {
    expect(exactUpperBound(5, 5)).toBe(1);
    expect(exactUpperBound(0, 0)).toBeNull();
    for (const errors of [-1, 6, 2.5]) expect(() => exactUpperBound(errors, 5)).toThrow('expected a count');
  });
});
