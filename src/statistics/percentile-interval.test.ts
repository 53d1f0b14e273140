import { expect, test } from 'vitest';
import { percentileInterval } from './bootstrap.ts';

test('type 7 quantiles of both tails, whatever the order', () => {
  const replicates = Array.from({ length: 101 }, (_, i) => (i * 37) % 101);
  expect(percentileInterval(replicates, 0.9)![0]).toBeCloseTo(5, 10);
  expect(percentileInterval(replicates, 0.9)![1]).toBeCloseTo(95, 10);
});

test('one replicate, none, too many undefined', () => {
  expect(percentileInterval([0.7])).toEqual([0.7, 0.7]);
  expect(percentileInterval([])).toBeNull();
  expect(percentileInterval([0.7, null])).toBeNull();
});

test('a level that is not a share is refused', () => {
  expect(() => percentileInterval([0.7], 95)).toThrow('confidence level');
});
