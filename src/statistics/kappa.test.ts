import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cohenKappa, fleissKappa, weightedKappa } from './kappa.ts';

describe('fleissKappa', () => {
  test('the example of 10 subjects, 14 raters, 5 categories', () => {
    const counts = [
      [0, 0, 0, 0, 14],
      [0, 2, 6, 4, 2],
      [0, 0, 3, 5, 6],
      [0, 3, 9, 2, 0],
      [2, 2, 8, 1, 1],
      [7, 7, 0, 0, 0],
      [3, 2, 6, 3, 0],
      [2, 5, 3, 2, 2],
      [6, 5, 2, 1, 0],
      [0, 2, 2, 3, 7],
    ];
    expect(fleissKappa(counts)).toBeCloseTo(0.20993070442195522, 12);
  });

  test('undefined: no records, one rater, one category, uneven raters', () => {
    expect(fleissKappa([])).toBeNull();
    expect(
      fleissKappa([
        [1, 0],
        [0, 1],
      ]),
    ).toBeNull();
    expect(
      fleissKappa([
        [3, 0],
        [3, 0],
      ]),
    ).toBeNull();
    expect(
      fleissKappa([
        [3, 0],
        [1, 1],
      ]),
    ).toBeNull();
  });

  test('full agreement on two categories: 1', () => {
    expect(
      fleissKappa([
        [3, 0],
        [0, 3],
      ]),
    ).toBe(1);
  });
});

describe('cohenKappa', () => {
  test('a table of 20, 5, 10, 15', () => {
    const a = [...'yyyyyyyyyyyyyyyyyyyyyyyyynnnnnnnnnnnnnnnnnnnnnnnnn'];
    const b = [...'yyyyyyyyyyyyyyyyyyyynnnnnyyyyyyyyyynnnnnnnnnnnnnnn'];
    expect(cohenKappa(a, b)).toBeCloseTo(0.4, 12);
  });

  test('labels are compared as labels: 2 and "2" are one, "B" and "b " too', () => {
    expect(cohenKappa([2, 'B'], ['2', 'b '])).toBe(1);
  });

  test('nothing or one label: null; never agreeing with constant others: 0', () => {
    expect(cohenKappa([], [])).toBeNull();
    expect(cohenKappa(['a', 'a'], ['a', 'a'])).toBeNull();
    expect(cohenKappa(['a', 'a'], ['b', 'b'])).toBe(0);
    expect(() => cohenKappa(['a'], [])).toThrow('b has 0');
  });

  test('is symmetric and at most 1', () => {
    const pairs = fc.array(fc.tuple(fc.constantFrom('x', 'y', 'z'), fc.constantFrom('x', 'y', 'z')));
    fc.assert(
      fc.property(pairs, (rows) => {
        const a = rows.map(([label]) => label);
        const b = rows.map(([, label]) => label);
        const kappa = cohenKappa(a, b);
        expect(cohenKappa(b, a)).toBe(kappa);
        expect(kappa ?? 0).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('weightedKappa', () => {
  test('two categories: all weights give the plain kappa', () => {
    const table = [
      [20, 5],
      [10, 15],
    ];
    expect(weightedKappa(table, 'linear')).toBeCloseTo(0.4, 12);
    expect(weightedKappa(table, 'quadratic')).toBeCloseTo(0.4, 12);
  });

  test('a far miss costs more under quadratic weights', () => {
    const table = [
      [5, 0, 1],
      [0, 5, 0],
      [0, 0, 5],
    ];
    expect(weightedKappa(table, 'linear')!).toBeGreaterThan(weightedKappa(table, 'quadratic')!);
  });

  test('one cell on the diagonal or an empty table: null; a constant rater: 0', () => {
    expect(
      weightedKappa(
        [
          [4, 0],
          [0, 0],
        ],
        'quadratic',
      ),
    ).toBeNull();
    expect(
      weightedKappa(
        [
          [0, 0],
          [0, 0],
        ],
        'quadratic',
      ),
    ).toBeNull();
    expect(weightedKappa([], 'linear')).toBeNull();
    expect(
      weightedKappa(
        [
          [0, 3, 0],
          [0, 2, 0],
          [0, 1, 0],
        ],
        'quadratic',
      ),
    ).toBe(0);
  });

  test('a table that is not square is refused', () => {
    expect(() => weightedKappa([[1, 2]], 'linear')).toThrow('square');
  });
});
