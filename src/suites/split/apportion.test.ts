import fc from 'fast-check';
import { expect, it } from 'vitest';
import { apportion } from './apportion.ts';

const weights = fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 12 });

it('gives every place away, each part within one of its quota', () => {
  fc.assert(
    fc.property(weights, fc.integer({ min: 0, max: 2000 }), (parts, total) => {
      const sum = parts.reduce((a, b) => a + b, 0);
      const places = apportion(parts, total);
      expect(places.reduce((a, b) => a + b, 0)).toBe(total);
      places.forEach((count, i) => {
        expect(Math.abs(count - (total * parts[i]!) / sum)).toBeLessThan(1);
      });
    }),
  );
});

it('gives the remainders to the largest', () => {
  // quotas 4.7, 3.1, 2.2 of 10
  expect(apportion([47, 31, 22], 10)).toEqual([5, 3, 2]);
});

it('keeps within bounds, which come before the total', () => {
  const one = { least: 1, most: 1 };
  expect(apportion([2, 2, 2], 1, [one, one, one])).toEqual([1, 1, 1]);
  expect(apportion([2, 2, 2], 5, [one, one, one])).toEqual([1, 1, 1]);
  expect(apportion([996, 2, 2], 10, [{ least: 1, most: 995 }, one, one])).toEqual([8, 1, 1]);
});

it('gives nothing where there is nothing', () => {
  expect(apportion([], 5)).toEqual([]);
  expect(apportion([0, 0], 5)).toEqual([0, 0]);
});
