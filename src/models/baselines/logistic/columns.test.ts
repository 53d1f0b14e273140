import { describe, expect, it } from 'vitest';
import type { FeatureValue } from '../../../core/patient-record.ts';
import { categoryColumns, columnsThrough, flagColumns, numberColumns } from './columns.ts';

it('keeps names and order', () => {
  const columns = columnsThrough(
    [
      { name: 'itself', read: (x: number) => x },
      { name: 'negative', read: (x: number) => -x },
    ],
    (text: string) => Number(text),
  );
  expect(columns.map(({ name, read }) => [name, read('7')])).toEqual([
    ['itself', 7],
    ['negative', -7],
  ]);
});

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

  it('gives finite numbers for any values of a record', () => {
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

const reads = (columns: ReturnType<typeof categoryColumns>, value: FeatureValue) =>
  columns.map(({ read }) => read(value));

describe('categoryColumns', () => {
  const columns = categoryColumns('pc', ['normal', null, 'abnormal', 'normal']);

  it('gives each category of training one column, and one to none', () => {
    expect(columns.map(({ name }) => name)).toEqual(['pc = abnormal', 'pc = normal', 'pc: none given']);
    expect(reads(columns, 'abnormal')).toEqual([1, 0, 0]);
    expect(reads(columns, null)).toEqual([0, 0, 1]);
  });

  it('takes an unseen category for none of them, not for a value that is not given', () => {
    expect(reads(columns, 'strange')).toEqual([0, 0, 0]);
  });

  it('gives nothing where training has no text', () => {
    expect(categoryColumns('pc', [1, null, true])).toEqual([]);
  });
});

describe('flagColumns', () => {
  it('reads true as 1 and false as 0, and marks null', () => {
    const columns = flagColumns('smoker', [true, null, false]);
    expect([true, false, null].map((value) => reads(columns, value))).toEqual([
      [1, 0],
      [0, 0],
      [0, 1],
    ]);
    expect(flagColumns('smoker', ['yes', null])).toEqual([]);
  });
});
