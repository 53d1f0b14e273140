import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newcombeDifference } from './proportions.ts';

test("Newcombe's example 56/70 against 48/80, his method 10", () => {
  const result = newcombeDifference({ successesA: 56, nA: 70, successesB: 48, nB: 80 })!;
  expect(result.difference).toBeCloseTo(0.2, 12);
  expect(result.lower).toBeCloseTo(0.0524, 4);
  expect(result.upper).toBeCloseTo(0.3339, 4);
});

test('no events in either group', () => {
  const result = newcombeDifference({ successesA: 0, nA: 10, successesB: 0, nB: 10 })!;
  expect(result.lower).toBeCloseTo(-0.2775327998628892, 12);
  expect(result.upper).toBeCloseTo(0.2775327998628892, 12);
});

test('an empty group: null', () => {
  expect(newcombeDifference({ successesA: 0, nA: 0, successesB: 3, nB: 10 })).toBeNull();
  expect(newcombeDifference({ successesA: 3, nA: 10, successesB: 0, nB: 0 })).toBeNull();
});

test('swapping the groups mirrors the interval, which contains the difference and lies in [-1, 1]', () => {
  const group = fc.integer({ min: 1, max: 500 }).chain((n) => fc.tuple(fc.nat({ max: n }), fc.constant(n)));
  fc.assert(
    fc.property(group, group, ([successesA, nA], [successesB, nB]) => {
      const ab = newcombeDifference({ successesA, nA, successesB, nB }, 0.9)!;
      const ba = newcombeDifference({ successesA: successesB, nA: nB, successesB: successesA, nB: nA }, 0.9)!;
      expect(ab.lower).toBeCloseTo(-ba.upper, 12);
      expect(ab.lower).toBeLessThanOrEqual(ab.difference);
      expect(ab.upper).toBeGreaterThanOrEqual(ab.difference);
      expect(Math.max(Math.abs(ab.lower), Math.abs(ab.upper))).toBeLessThanOrEqual(1);
    }),
  );
});
