import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../statistics/random.ts';
import { ageScore, drawDemographics } from './groups.ts';

const random = createRandom(5);
const people = Array.from({ length: 20_000 }, () => drawDemographics(random));
const share = (of: (person: (typeof people)[number]) => boolean, among = people) =>
  among.filter(of).length / among.length;

describe('drawDemographics', () => {
  it('has as many women as men, in CKD and out of it', () => {
    for (const inGroup of [true, false]) {
      const some = people.filter(({ group }) => (group === 'ckd') === inGroup);
      expect(Math.abs(share(({ sex }) => sex === 'female', some) - 0.5)).toBeLessThan(0.02);
    }
  });

  it('has half with CKD, more in old age', () => {
    expect(Math.abs(share(({ group }) => group === 'ckd') - 0.5)).toBeLessThan(0.02);
    const old = people.filter(({ age }) => age >= 75);
    expect(Math.abs(share(({ group }) => group === 'ckd', old) - 0.6)).toBeLessThan(0.04);
  });

  it('fills every age band', () => {
    expect(share(({ age }) => age < 18)).toBeGreaterThan(0.024);
    expect(share(({ age }) => age < 18)).toBeLessThan(0.036);
    for (const [from, to] of [
      [18, 44],
      [45, 64],
      [65, 74],
      [75, 92],
    ] as const) {
      expect(share(({ age }) => age >= from && age <= to)).toBeGreaterThan(0.1);
    }
    expect(Math.max(...people.map(({ age }) => age))).toBeLessThanOrEqual(92);
    expect(Math.min(...people.map(({ age }) => age))).toBeGreaterThanOrEqual(4);
  });
});

describe('ageScore', () => {
  it('rises with age and is about 0 in the middle', () => {
    expect(ageScore(5)).toBe(ageScore(10));
    expect(ageScore(54)).toBeCloseTo(0, 1);
    expect(ageScore(92)).toBeGreaterThan(ageScore(91));
  });
});
