import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quantile } from './samples.ts';

test('same as numpy.quantile', () => {
  const sorted = [0.1, 1.5, 3.2, 4.4, 7.3, 9.9];
  const expected = [0.1, 0.275, 2.35, 3.8, 9.575, 9.9];
  [0, 0.025, 0.3, 0.5, 0.975, 1].forEach((p, i) => {
    expect(quantile(sorted, p)).toBeCloseTo(expected[i]!, 12);
  });
});

test('no values, one value, equal values, bad p', () => {
  expect(quantile([], 0.5)).toBeNull();
  expect(quantile([3], 0)).toBe(3);
  expect(quantile([0.1, 0.1, 0.1], 0.37)).toBe(0.1);
  expect(() => quantile([1], 1.1)).toThrow('0 to 1');
});

test('rises with p and stays within the values', () => {
  const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1 });
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(values, share, share, (array, p, q) => {
      const sorted = Float64Array.from(array).sort();
      const low = quantile(sorted, Math.min(p, q))!;
      const high = quantile(sorted, Math.max(p, q))!;
      expect(high - low).toBeGreaterThanOrEqual(-1e-9);
      expect(low).toBeGreaterThanOrEqual(sorted[0]! - 1e-9);
      expect(high).toBeLessThanOrEqual(sorted.at(-1)! + 1e-9);
    }),
  );
});
