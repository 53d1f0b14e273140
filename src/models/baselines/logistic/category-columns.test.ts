import { describe, expect, it } from 'vitest';
import type { FeatureValue } from '../../../core/patient-record.ts';
import { categoryColumns, flagColumns } from './category-columns.ts';

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
