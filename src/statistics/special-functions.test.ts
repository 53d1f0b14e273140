import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { binomialCdf, normalCdf, normalQuantile } from './special-functions.ts';

function relativeError(actual: number, expected: number): number {
  return Math.abs(actual - expected) / Math.abs(expected);
}

describe('normalCdf', () => {
  // SciPy 1.17, ndtr.
  test.each([
    [-25, 3.056696706382561e-138],
    [-20, 2.7536241186061556e-89],
    [-8, 6.22096057427174e-16],
    [-3, 0.0013498980316300933],
    [-1.5, 0.06680720126885807],
    [0.3, 0.6179114221889526],
    [2.5, 0.9937903346742238],
    [8, 0.9999999999999993],
  ])('Phi(%d)', (x, expected) => {
    expect(relativeError(normalCdf(x), expected)).toBeLessThan(1e-12);
  });

  test('the ends of the line', () => {
    expect(normalCdf(-Infinity)).toBe(0);
    expect(normalCdf(Infinity)).toBe(1);
    expect(normalCdf(-50)).toBe(0);
  });
});

describe('normalQuantile', () => {
  // Python 3.11, statistics.NormalDist().inv_cdf.
  test.each([
    [1e-300, -37.0470962993612],
    [1e-100, -21.27345356096532],
    [1e-20, -9.262340089798405],
    [1e-10, -6.361340902404056],
    [0.001, -3.090232306167813],
    [0.025, -1.9599639845400538],
    [0.3, -0.5244005127080407],
    [0.999999, 4.753424308817089],
  ])('at %d', (p, expected) => {
    expect(relativeError(normalQuantile(p), expected)).toBeLessThan(1e-14);
  });

  test('0 and 1 are infinite, anything beyond throws', () => {
    expect(normalQuantile(0)).toBe(-Infinity);
    expect(normalQuantile(1)).toBe(Infinity);
    expect(() => normalQuantile(-0.1)).toThrow('between 0 and 1');
    expect(() => normalQuantile(Number.NaN)).toThrow('between 0 and 1');
  });

  test('is the inverse of normalCdf', () => {
    fc.assert(
      fc.property(fc.double({ min: -7, max: 7, noNaN: true }), (x) => {
        expect(normalCdf(normalQuantile(normalCdf(x)))).toBeCloseTo(normalCdf(x), 14);
      }),
    );
  });
});

describe('binomialCdf', () => {
  // Exact sums of Python integers and fractions, rounded once.
  test.each([
    [7, 20, 0.5, 0.13158798217773438],
    [40, 100, 0.5, 0.028443966820490395],
    [450, 1000, 0.5, 0.0008652680424881588],
    [500, 1000, 0.5, 0.5126125090891804],
    [2400, 5000, 0.5, 0.002441824868758759],
    [49_999, 100_000, 0.5, 0.49873843689290165],
    [50, 200, 0.2, 0.9655032251342712],
    [120, 400, 0.31, 0.3547870299346262],
    [5, 1000, 0.01, 0.06613951160725197],
    [10, 100, 0.5, 1.5316450877189926e-17],
    [990, 1000, 0.99, 0.5426994078251103],
  ])('P(X <= %i) of %i at %d', (k, n, p, expected) => {
    expect(relativeError(binomialCdf(k, n, p), expected)).toBeLessThan(1e-13);
  });

  test('edges', () => {
    expect(binomialCdf(-1, 5, 0.5)).toBe(0);
    expect(binomialCdf(5, 5, 0.5)).toBe(1);
    expect(binomialCdf(0, 0, 0.5)).toBe(1);
    expect(binomialCdf(2, 10, 0)).toBe(1);
    expect(binomialCdf(2, 10, 1)).toBe(0);
    expect(binomialCdf(0, 5000, 0.5)).toBe(0);
    expect(() => binomialCdf(1, 2.5, 0.5)).toThrow('whole number');
    expect(() => binomialCdf(1, 2, 1.5)).toThrow('0 to 1');
  });

  test('the two tails make 1', () => {
    const counts = fc
      .integer({ min: 1, max: 300 })
      .chain((n) => fc.tuple(fc.constant(n), fc.nat({ max: n - 1 })));
    fc.assert(
      fc.property(counts, fc.double({ min: 0.001, max: 0.999, noNaN: true }), ([n, k], p) => {
        expect(binomialCdf(k, n, p) + binomialCdf(n - k - 1, n, 1 - p)).toBeCloseTo(1, 12);
      }),
    );
  });
});
