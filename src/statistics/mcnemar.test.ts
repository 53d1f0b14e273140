import fc from 'fast-check';
import { expect, test } from 'vitest';
import { discordantPairs, mcnemarExact } from './mcnemar.ts';

// Exact fractions of Python integers, rounded once.
test.each([
  [1, 9, 0.021484375, 0.01171875],
  [4, 5, 1, 0.75390625],
  [40, 60, 0.05688793364098079, 0.046044066929342806],
  [300, 350, 0.0545299417589238, 0.04995277821288467],
  [2400, 2600, 0.004883649737517518, 0.004677045349937089],
])('b = %i, c = %i', (b, c, pExact, pMid) => {
  const result = mcnemarExact(b, c);
  expect(Math.abs(result.pExact - pExact)).toBeLessThan(1e-14);
  expect(Math.abs(result.pMid - pMid)).toBeLessThan(1e-14);
});

test('no discordant pair, or as many on both sides: 1', () => {
  expect(mcnemarExact(0, 0)).toEqual({ b: 0, c: 0, pExact: 1, pMid: 1 });
  expect(mcnemarExact(6, 6)).toEqual({ b: 6, c: 6, pExact: 1, pMid: 1 });
});

test('swapping the models leaves p; mid-p is never above the exact p', () => {
  fc.assert(
    fc.property(fc.nat({ max: 400 }), fc.nat({ max: 400 }), (b, c) => {
      const { pExact, pMid } = mcnemarExact(b, c);
      expect(mcnemarExact(c, b)).toEqual({ b: c, c: b, pExact, pMid });
      expect(pMid).toBeLessThanOrEqual(pExact);
      expect(pExact).toBeLessThanOrEqual(1);
    }),
  );
});

test('what is not a count is refused', () => {
  expect(() => mcnemarExact(-1, 2)).toThrow('expected a count');
  expect(() => mcnemarExact(1.5, 2)).toThrow('expected a count');
});

test('pairs are counted by who was right', () => {
  expect(discordantPairs([true, true, false, false], [true, false, true, false])).toEqual({ b: 1, c: 1 });
  expect(discordantPairs([1, 1, 1], [0, 0, 1])).toEqual({ b: 2, c: 0 });
  expect(() => discordantPairs([1], [])).toThrow('correctB has 0');
});
