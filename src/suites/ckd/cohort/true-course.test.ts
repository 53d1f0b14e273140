import { describe, expect, it } from 'vitest';
import { KrisisError } from '../../../core/krisis-error.ts';
import { trueCourse } from './true-course.ts';

/** Values evenly spaced over the years, oldest first. */
const over = (years: number, ...gfr: number[]) =>
  trueCourse(gfr.map((value, i) => ({ yearsBeforeIndex: years * (1 - i / (gfr.length - 1)), gfr: value })));

describe('trueCourse', () => {
  it('calls a certain drop worsening, however slow', () => {
    expect(over(3, 61, 53, 45.5)).toBe('worsening');
    expect(over(3, 61, 53, 46)).toBe('stable');
    // 25 % and more, but one category
    expect(over(8, 89, 75, 61)).toBe('stable');
  });

  it('calls a rapid fall worsening, however small the share', () => {
    expect(over(1, 110, 107, 104.5)).toBe('worsening');
    expect(over(1, 110, 107, 105)).toBe('stable');
  });

  it('wants a rapid fall sustained', () => {
    expect(over(0.5, 110, 107, 104.5)).toBe('stable');
    // 6 a year from first to last; lost at once, the slope through all values is 3.4 a year.
    expect(over(2, 100, 96, 92, 88)).toBe('worsening');
    expect(over(2, 100, 88, 88, 88, 88, 88)).toBe('stable');
  });

  it('is its own mirror image', () => {
    for (const values of [
      [61, 53, 45.5],
      [110, 107, 104.5],
      [50, 40, 30],
      [12, 10, 5],
    ]) {
      expect(over(1, ...values)).toBe('worsening');
      expect(over(1, ...values.toReversed())).toBe('improving');
    }
  });

  it('does not mind the order of the values', () => {
    const points = [
      { yearsBeforeIndex: 0, gfr: 45 },
      { yearsBeforeIndex: 2, gfr: 61 },
      { yearsBeforeIndex: 1, gfr: 50 },
    ];
    expect(trueCourse(points)).toBe('worsening');
  });

  it('refuses what has no course', () => {
    expect(() => trueCourse([])).toThrow(KrisisError);
    expect(() => over(1, 60, 50)).toThrow(KrisisError);
    expect(() => over(0, 60, 50, 40)).toThrow(KrisisError);
  });
});
