import fc from 'fast-check';
import { expect, test } from 'vitest';
import { minimumDetectableDifference, requiredPairs } from './power.ts';

// In percentage points, rounded twice (6.246 stands there as 6.3); null: not even all discordant records on one side are enough.
test.each([
  [80, [null, 9.8, 12.0, 13.8, 16.9]],
  [160, [4.9, 7.0, 8.5, 9.8, 12.0]],
  [400, [3.1, 4.4, 5.4, 6.3, 7.7]],
  [1000, [2.0, 2.8, 3.4, 4.0, 4.9]],
  [2000, [1.4, 2.0, 2.4, 2.8, 3.4]],
])('the published table, n = %i', (n, expected) => {
  [0.05, 0.1, 0.15, 0.2, 0.3].forEach((discordantProportion, i) => {
    const points = expected[i] ?? null;
    const d = minimumDetectableDifference({ n, discordantProportion });
    if (points === null) expect(d).toBeNull();
    else expect(Math.abs(100 * d! - points)).toBeLessThan(0.055);
  });
});

test('required pairs, from the same source', () => {
  expect(requiredPairs({ difference: 0.03, discordantProportion: 0.1 })).toBe(870);
  expect(requiredPairs({ difference: -0.02, discordantProportion: 0.1 })).toBe(1960);
});

test('what cannot be: null', () => {
  expect(requiredPairs({ difference: 0, discordantProportion: 0.1 })).toBeNull();
  expect(requiredPairs({ difference: 0.11, discordantProportion: 0.1 })).toBeNull();
  expect(requiredPairs({ difference: 0.1, discordantProportion: 0 })).toBeNull();
  expect(minimumDetectableDifference({ n: 100, discordantProportion: 0 })).toBeNull();
  expect(minimumDetectableDifference({ n: 0, discordantProportion: 0.1 })).toBeNull();
  expect(minimumDetectableDifference({ n: 1, discordantProportion: 1 })).toBeNull();
  expect(
    minimumDetectableDifference({ n: 5, discordantProportion: 0.78, alpha: 0.01, power: 0.9 }),
  ).toBeNull();
});

test('all discordant records on one side, with a psi that is not quite what was typed', () => {
  expect(requiredPairs({ difference: 0.1 + 0.2, discordantProportion: 0.3 })).not.toBeNull();
  expect(requiredPairs({ difference: 1, discordantProportion: 1 })).toBe(4);
});

test('a power of 80 is refused', () => {
  expect(() => requiredPairs({ difference: 0.1, discordantProportion: 0.2, power: 80 })).toThrow(
    'power is 80',
  );
  expect(() => minimumDetectableDifference({ n: 9, discordantProportion: 0.2, alpha: 0 })).toThrow(
    'alpha is 0',
  );
});

test('the two are each other turned round', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 100_000 })),
      fc.double({ min: 0.001, max: 1, noNaN: true }),
      fc.constantFrom(0.01, 0.05, 0.1),
      fc.constantFrom(0.3, 0.5, 0.8, 0.9),
      (n, discordantProportion, alpha, power) => {
        const difference = minimumDetectableDifference({ n, discordantProportion, alpha, power });
        if (difference === null) {
          const needed = requiredPairs({
            difference: discordantProportion,
            discordantProportion,
            alpha,
            power,
          })!;
          expect(needed).toBeGreaterThan(n);
        } else {
          expect(requiredPairs({ difference, discordantProportion, alpha, power })).toBe(n);
        }
      },
    ),
  );
});
