import { expect, test } from 'vitest';
import { mean, median, sum, toStatistic } from './samples.ts';

test('nothing to describe: null, never NaN', () => {
  expect([mean([]), median([]), sum([])]).toEqual([null, null, null]);
});

test('typed arrays are as good as lists, and stay in order', () => {
  const values = Float64Array.of(10, 9, 2);
  expect([mean(values), median(values), sum(values)]).toEqual([7, 9, 21]);
  expect(Array.from(values)).toEqual([10, 9, 2]);
});

test('by name or by function', () => {
  expect(toStatistic('median')([1, 2, 9])).toBe(2);
  expect(toStatistic((values) => values.length)([1, 2, 9])).toBe(3);
});
