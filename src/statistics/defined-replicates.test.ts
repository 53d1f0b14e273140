import { expect, test } from 'vitest';
import { definedReplicates } from './bootstrap.ts';

test('exactly 5 % undefined is accepted, more is not', () => {
  const nineteen = Array.from({ length: 19 }, (_, i) => i);
  expect(definedReplicates([...nineteen, null])).toHaveLength(19);
  expect(definedReplicates([...nineteen, Number.NaN])).toHaveLength(19);
  expect(definedReplicates([...nineteen.slice(1), null, Infinity])).toBeNull();
});

test('sorts by number and leaves its input alone', () => {
  const replicates = [10, 9, -1];
  expect(Array.from(definedReplicates(replicates)!)).toEqual([-1, 9, 10]);
  expect(replicates).toEqual([10, 9, -1]);
});

test('nothing defined: null', () => {
  expect(definedReplicates([])).toBeNull();
  expect(definedReplicates([null])).toBeNull();
});
