import { describe, expect, it } from 'vitest';
import { numberColumns } from './number-columns.ts';

describe('numberColumns', () => {
  it('standardises by the measured training values and puts the median where nothing was measured', () => {
    // 1, 1, 4: mean 2, SD sqrt(2), median 1.
    const [value, missing] = numberColumns('x', [4, null, 1, 1]);
    expect(value!.read(2)).toBe(0);
    expect(value!.read(4)).toBeCloseTo(Math.SQRT2, 12);
    expect(value!.read(null)).toBe(value!.read(1));
    expect([missing!.read(null), missing!.read(0)]).toEqual([1, 0]);
  });

  it('takes the middle of the two middle values for an even number of them', () => {
    const [value] = numberColumns('x', [10, 1, 2, 4]);
    expect(value!.read(null)).toBeCloseTo(value!.read(3), 12);
  });

  it('gives no column for a number never measured, and the indicator only for one that never varies', () => {
    expect(numberColumns('x', [null, null])).toEqual([]);
    expect(numberColumns('x', [])).toEqual([]);
    expect(numberColumns('x', [0.1, 0.1, 0.1, null]).map(({ name }) => name)).toEqual(['x: not measured']);
  });

  it('gives finite numbers whatever stands in a record', () => {
    const [value] = numberColumns('x', [1, 2]);
    expect(value!.read(1e308)).toBe(1e6);
    expect(value!.read(-1e308)).toBe(-1e6);
    for (const extreme of [
      [-1e308, 1e308],
      [1e308, 1.5e308],
      [1e-200, 2e-200],
    ])
      expect(numberColumns('x', extreme).map(({ name }) => name)).toEqual(['x: not measured']);
  });
});
