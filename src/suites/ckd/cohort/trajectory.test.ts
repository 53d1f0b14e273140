import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../statistics/random.ts';
import { gfrCeiling } from './kidney-function.ts';
import { ageAt, drawTrajectory } from './trajectory.ts';

describe('drawTrajectory', () => {
  const random = createRandom(10);
  const drawn = Array.from({ length: 3000 }, (_, i) => {
    const index = { gfr: 8 + (i % 80), age: 18 + (i % 70), sex: 'female', group: 'ckd' } as const;
    return { index, points: drawTrajectory(random, index) };
  });

  it('has four to six visits over one to three years, in order, ending at the index visit', () => {
    for (const { index, points } of drawn) {
      expect(points.length).toBeGreaterThanOrEqual(4);
      expect(points.length).toBeLessThanOrEqual(6);
      expect(points[0]!.daysBeforeIndex).toBeGreaterThanOrEqual(366);
      expect(points[0]!.daysBeforeIndex).toBeLessThanOrEqual(1095);
      expect(points.at(-1)).toEqual({ daysBeforeIndex: 0, gfr: index.gfr });
      for (let i = 1; i < points.length; i++) {
        expect(points[i - 1]!.daysBeforeIndex - points[i]!.daysBeforeIndex).toBeGreaterThan(20);
      }
    }
  });

  it('stays between 4 and the ceiling of the age', () => {
    for (const { index, points } of drawn) {
      for (const { daysBeforeIndex, gfr } of points.slice(0, -1)) {
        expect(gfr).toBeGreaterThanOrEqual(4);
        expect(gfr).toBeLessThanOrEqual(gfrCeiling(ageAt(index.age, daysBeforeIndex), 'female') + 0.01);
      }
    }
  });
});

describe('ageAt', () => {
  it('goes back in time, but not out of adulthood', () => {
    expect(ageAt(50, 731)).toBeCloseTo(48, 1);
    expect(ageAt(19, 731)).toBe(18);
    expect(ageAt(10, 731)).toBeCloseTo(8, 1);
  });
});
