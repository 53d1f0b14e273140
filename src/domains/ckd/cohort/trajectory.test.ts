import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../statistics/random.ts';
import { gfrCeiling } from './kidney-function.ts';
import { DAYS_PER_YEAR, drawTrajectory } from './trajectory.ts';

describe('drawTrajectory', () => {
  const random = createRandom(10);
  const drawn = Array.from({ length: 3000 }, (_, i) => {
    const index = { gfr: 8 + (i % 80), age: 18 + (i % 70), sex: 'female', group: 'ckd' } as const;
    return { index, points: drawTrajectory(random, index) };
  });

  it('has four to eight visits over one to five years, in order, ending at the index visit', () => {
    for (const { index, points } of drawn) {
      expect(points.length).toBeGreaterThanOrEqual(4);
      expect(points.length).toBeLessThanOrEqual(8);
      expect(points[0]!.daysBeforeIndex).toBeGreaterThanOrEqual(366);
      expect(points[0]!.daysBeforeIndex).toBeLessThanOrEqual(1826);
      expect(points.at(-1)).toEqual({ daysBeforeIndex: 0, age: index.age, gfr: index.gfr });
      for (let i = 1; i < points.length; i++) {
        expect(points[i - 1]!.daysBeforeIndex - points[i]!.daysBeforeIndex).toBeGreaterThan(20);
      }
    }
  });

  it('stays between 4 and the ceiling of the age at the first visit', () => {
    for (const { index, points } of drawn) {
      const ceiling = Math.max(index.gfr, gfrCeiling(points[0]!.age, 'female'));
      for (const { gfr } of points.slice(0, -1)) {
        expect(gfr).toBeGreaterThanOrEqual(4);
        expect(gfr).toBeLessThanOrEqual(ceiling + 0.01);
      }
    }
  });

  it('makes a change that would pass the ceiling smaller, and does not cut its shape', () => {
    for (const { index, points } of drawn) {
      const ceiling = gfrCeiling(points[0]!.age, 'female');
      if (index.gfr < ceiling - 5 && points[0]!.gfr > ceiling - 0.02)
        expect(points[1]!.gfr).toBeLessThan(ceiling - 0.1);
    }
  });

  it('has the age in whole years at each visit, with a birthday between any two years', () => {
    for (const { index, points } of drawn) {
      for (const { age, daysBeforeIndex } of points) {
        expect(Number.isInteger(age)).toBe(true);
        const yearsBack = daysBeforeIndex / DAYS_PER_YEAR;
        expect(index.age - age).toBeGreaterThanOrEqual(Math.floor(yearsBack));
        expect(index.age - age).toBeLessThanOrEqual(Math.ceil(yearsBack));
      }
    }
  });
});
