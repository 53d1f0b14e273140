import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clusteredStandardError } from './clustered-share.ts';

test('every row its own cluster: sqrt(p (1 - p) / n)', () => {
  expect(clusteredStandardError([1, 1, 0, 1], [1, 2, 3, 4])).toBeCloseTo(Math.sqrt((0.75 * 0.25) / 4), 12);
});

test('no rows: null; one cluster or one row: 0', () => {
  expect(clusteredStandardError([], [])).toBeNull();
  expect(clusteredStandardError([1, 0, 1], ['a', 'a', 'a'])).toBeCloseTo(0, 12);
  expect(clusteredStandardError([1], ['a'])).toBe(0);
});

test('copies of a record in its cluster do not narrow it', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 1 }), (values) => {
      const clusters = values.map((_, i) => `p${i}`);
      const once = clusteredStandardError(values, clusters)!;
      expect(clusteredStandardError([...values, ...values], [...clusters, ...clusters])).toBeCloseTo(
        once,
        12,
      );
    }),
  );
});

test('one cluster name per row', () => {
  expect(() => clusteredStandardError([1, 2], ['a'])).toThrow('clusters has 1');
});
