import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wilsonInterval } from './proportions.ts';

// SciPy 1.17, binomtest(x, n).proportion_ci(level, 'wilson').
test.each([
  [1, 10, 0.95, 0.017876213095072896, 0.4041500267952385],
  [45, 50, 0.99, 0.7402692104043159, 0.9660091162215817],
  [0, 50, 0.95, 0, 0.07134759913335872],
  [1, 1, 0.5, 0.6873152559174167, 1],
])('%i of %i at %d', (x, n, level, lower, upper) => {
  const interval = wilsonInterval(x, n, level)!;
  expect(interval[0]).toBeCloseTo(lower, 12);
  expect(interval[1]).toBeCloseTo(upper, 12);
});

test('the ends are exact', () => {
  expect(wilsonInterval(0, 7)![0]).toBe(0);
  expect(wilsonInterval(7, 7)![1]).toBe(1);
});

test('no trials: null; impossible counts: an error', () => {
  expect(wilsonInterval(0, 0)).toBeNull();
  expect(() => wilsonInterval(8, 7)).toThrow('between 0 and n');
  expect(() => wilsonInterval(-1, 7)).toThrow('between 0 and n');
  expect(() => wilsonInterval(1, 7, 95)).toThrow('confidence level');
});

const trials = fc
  .integer({ min: 1, max: 100_000 })
  .chain((n) =>
    fc.tuple(fc.nat({ max: n }), fc.constant(n), fc.double({ min: 0.001, max: 0.999, noNaN: true })),
  );

test('contains x/n and lies in [0, 1]', () => {
  fc.assert(
    fc.property(trials, ([x, n, level]) => {
      const [lower, upper] = wilsonInterval(x, n, level)!;
      expect(lower).toBeGreaterThanOrEqual(0);
      expect(lower).toBeLessThanOrEqual(x / n);
      expect(upper).toBeGreaterThanOrEqual(x / n);
      expect(upper).toBeLessThanOrEqual(1);
    }),
  );
});

test('failures have the mirrored interval', () => {
  fc.assert(
    fc.property(trials, ([x, n, level]) => {
      expect(wilsonInterval(n - x, n, level)![0]).toBeCloseTo(1 - wilsonInterval(x, n, level)![1], 10);
    }),
  );
});
