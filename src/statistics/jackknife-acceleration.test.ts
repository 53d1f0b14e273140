import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jackknifeAcceleration } from './bootstrap.ts';

test('a low outlier gives a positive acceleration, its mirror image the negative', () => {
  const values = [0.2, 0.6, 0.61, 0.62, 0.63, 0.64, 0.65, 0.66];
  expect(jackknifeAcceleration(values)).toBeCloseTo(0.12910816652315546, 12);
  expect(jackknifeAcceleration(values.map((value) => -value))).toBeCloseTo(-0.12910816652315546, 12);
});

test('equal values have none, even where their mean is rounded', () => {
  expect(jackknifeAcceleration([0.1, 0.1, 0.1])).toBe(0);
  expect(jackknifeAcceleration([0.1 + 0.2, 0.3, 0.3])).toBe(0);
  expect(jackknifeAcceleration([0, 0])).toBe(0);
  expect(jackknifeAcceleration([])).toBe(0);
});

test('undefined values are left out', () => {
  expect(jackknifeAcceleration([0, null, 1, Number.NaN, 5])).toBe(jackknifeAcceleration([0, 1, 5]));
});

test('very small spreads do not underflow', () => {
  expect(jackknifeAcceleration([0, 1e-150, 5e-150])).toBeCloseTo(jackknifeAcceleration([0, 1, 5]), 12);
});

test('weights are repetitions, and |a| stays below 1/6', () => {
  const entries = fc.array(fc.tuple(fc.integer({ min: -1000, max: 1000 }), fc.integer({ min: 1, max: 5 })));
  fc.assert(
    fc.property(entries, (pairs) => {
      const values = pairs.map(([value]) => value / 1000);
      const weights = pairs.map(([, weight]) => weight);
      const repeated = pairs.flatMap(([value, weight]) => Array.from({ length: weight }, () => value / 1000));
      const acceleration = jackknifeAcceleration(values, weights);
      expect(acceleration).toBeCloseTo(jackknifeAcceleration(repeated), 9);
      expect(Math.abs(acceleration)).toBeLessThan(1 / 6);
    }),
  );
});

test('one weight per value', () => {
  expect(() => jackknifeAcceleration([1, 2], [1])).toThrow('one of each per record');
});
