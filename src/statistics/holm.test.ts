import fc from 'fast-check';
import { expect, test } from 'vitest';
import { holmAdjust } from './holm.ts';

test('steps down, keeps the order given, is monotone', () => {
  const adjusted = holmAdjust([0.01, 0.04, 0.03, 0.005]);
  [0.03, 0.06, 0.06, 0.02].forEach((expected, i) => {
    expect(adjusted[i]).toBeCloseTo(expected, 14);
  });
});

test('nulls stay and do not count', () => {
  expect(holmAdjust([null, 0.02, null, 0.5])).toEqual([null, 0.04, null, 0.5]);
  expect(holmAdjust([null])).toEqual([null]);
  expect(holmAdjust([])).toEqual([]);
});

test('never below the raw value nor above 1, and in the same order as the raw values', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (pValues) => {
      const adjusted = holmAdjust(pValues) as number[];
      const byRaw = pValues.map((_, i) => i).sort((i, j) => pValues[i]! - pValues[j]!);
      byRaw.forEach((i, rank) => {
        expect(adjusted[i]).toBeGreaterThanOrEqual(pValues[i]!);
        expect(adjusted[i]).toBeLessThanOrEqual(1);
        if (rank > 0) expect(adjusted[i]).toBeGreaterThanOrEqual(adjusted[byRaw[rank - 1]!]!);
      });
    }),
  );
});
