import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mcnemarExact } from './mcnemar.ts';
import { monteCarloPValue, signFlipExact, signFlipMonteCarlo, signFlipTest } from './sign-flip.ts';

describe('signFlipExact', () => {
  test('rounding does not break ties', () => {
    // 0.1 + 0.2 - 0.3 is not 0 in floating point; every one of the eight patterns is at least as extreme.
    expect(signFlipExact([0.1, 0.2, -0.3])).toBe(1);
  });

  test('none, only zeros, one', () => {
    expect(signFlipExact([])).toBeNull();
    expect(signFlipExact([0, 0])).toBe(1);
    expect(signFlipExact([0.4])).toBe(1);
  });

  test('20 differences of one sign: 2 of 2^20 patterns, and zeros cost nothing', () => {
    const twenty = new Array<number>(20).fill(1);
    expect(signFlipExact(twenty)).toBe(2 / 2 ** 20);
    expect(signFlipExact([...twenty, ...new Array<number>(1000).fill(0)])).toBe(2 / 2 ** 20);
    expect(() => signFlipExact([...twenty, 1])).toThrow('signFlipMonteCarlo');
  });

  test('on right-or-wrong scores it is the exact McNemar test', () => {
    fc.assert(
      fc.property(fc.nat({ max: 7 }), fc.nat({ max: 7 }), fc.integer({ min: 1, max: 3 }), (b, c, ties) => {
        const scores = [b, c, ties].flatMap((count, i) => new Array<number>(count).fill([1, -1, 0][i]!));
        expect(signFlipExact(scores)).toBeCloseTo(mcnemarExact(b, c).pExact, 12);
      }),
    );
  });

  test('turning all signs or changing the unit changes nothing', () => {
    const differences = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(differences, (d) => {
        const p = signFlipExact(d);
        expect(signFlipExact(d.map((x) => -x))).toBe(p);
        expect(signFlipExact(d.map((x) => x * 0.01))).toBe(p);
      }),
    );
  });

  test('a difference that is not a number is refused', () => {
    expect(() => signFlipExact([1, Number.NaN])).toThrow('not a finite number');
  });
});

describe('signFlipMonteCarlo', () => {
  test('comes close to the exact value', () => {
    const differences = [0.2, 0.5, -0.1, 0.4, 0.3, -0.2, 0.6, 0.1, 0.05, -0.3];
    const exact = signFlipExact(differences)!;
    expect(Math.abs(signFlipMonteCarlo(differences, { resamples: 20_000, seed: 3 })! - exact)).toBeLessThan(
      0.015,
    );
  });

  test('is repeatable, and never 0', () => {
    const differences = Array.from({ length: 100 }, () => 1);
    expect(signFlipMonteCarlo(differences, { resamples: 999, seed: 1 })).toBe(0.001);
    const mixed = differences.map((_, i) => Math.sin(i) + 0.1);
    const options = { resamples: 999, seed: 8 };
    expect(signFlipMonteCarlo(mixed, options)).toBe(signFlipMonteCarlo(mixed, options));
    expect(signFlipMonteCarlo([], options)).toBeNull();
  });
});

test('signFlipTest says how it came to its value', () => {
  const twenty = new Array<number>(20).fill(1);
  expect(signFlipTest([...twenty, 0])).toEqual({ p: 2 / 2 ** 20, method: 'exact', resamples: null });
  expect(signFlipTest([...twenty, 1], { resamples: 99, seed: 1 })).toEqual({
    p: 0.01,
    method: 'monte_carlo',
    resamples: 99,
  });
  expect(signFlipTest([])).toBeNull();
});

test('monteCarloPValue counts the observed pattern', () => {
  expect(monteCarloPValue(0, 0)).toBe(1);
  expect(monteCarloPValue(12, 999)).toBe(0.013);
});
