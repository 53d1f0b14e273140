import { describe, expect, it } from 'vitest';
import { KrisisError } from '../../../core/errors.ts';
import { trueCourse } from './true-course.ts';

/** Values evenly spaced over the years, oldest first. */
const over = (years: number, ...gfr: number[]) =>
  trueCourse(gfr.map((value, i) => ({ yearsBeforeIndex: years * (1 - i / (gfr.length - 1)), gfr: value })));

describe('trueCourse', () => {
  it('calls a fall of 30 % worsening, however slow and in whatever category', () => {
    expect(over(8, 89, 75, 62.3)).toBe('worsening');
    // A man whose GFR fell from 11 to 6 in two years loses 2.5 a year and stays in G5.
    expect(over(2, 11, 8.5, 6)).toBe('worsening');
    expect(over(8, 89, 75, 62.4)).toBeNull();
  });

  it('calls a fall of 25 % into a worse category worsening', () => {
    expect(over(4, 61, 53, 45.5)).toBe('worsening');
    expect(over(4, 61, 53, 46)).toBeNull();
    // 26 %, but one category
    expect(over(8, 89, 75, 66)).toBeNull();
  });

  it('calls a fall of 5 a year worsening, however small the share', () => {
    expect(over(1, 110, 107.5, 105)).toBe('worsening');
    expect(over(1, 110, 107.5, 105.1)).toBe('stable');
    expect(over(2, 100, 96, 92, 88)).toBe('worsening');
  });

  it('is undecided where the change from first to last and the slope through all visits disagree on 5 a year', () => {
    // 6 a year from first to last; lost at once, the slope through all values is 3.4 a year.
    expect(over(2, 100, 88, 88, 88, 88, 88)).toBeNull();
    expect(over(2, 88, 88, 88, 88, 88, 100)).toBeNull();
  });

  it('calls a change of less than 20 % and less than 5 a year stable, and one of 20 % nothing', () => {
    expect(over(3, 50, 45, 40.1)).toBe('stable');
    expect(over(3, 50, 45, 40)).toBeNull();
    expect(over(3, 50, 55, 59.9)).toBe('stable');
    expect(over(3, 50, 55, 60)).toBeNull();
    expect(over(2, 58, 40, 57)).toBe('stable');
  });

  it('is its own mirror image', () => {
    for (const values of [
      [61, 53, 45.5],
      [110, 107.5, 105],
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
