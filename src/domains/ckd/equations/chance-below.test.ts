import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ckdEpi2021, creatinineForEgfr, type Sex } from './ckd-epi.ts';
import { categoryFlipProbability, chanceBelow, chanceOfOtherInterval, logCreatinineSd } from './variation.ts';

const ALL_EDGES = [90, 60, 45, 30, 15];
const adult = fc.record({
  creatinineMgDl: fc.double({ min: 0.2, max: 15, noNaN: true }),
  age: fc.double({ min: 18, max: 100, noNaN: true }),
  sex: fc.constantFrom<Sex>('female', 'male'),
  cvWithinPerson: fc.double({ min: 0.001, max: 0.2, noNaN: true }),
  cvAnalytical: fc.double({ min: 0, max: 0.1, noNaN: true }),
});
const woman = { age: 60, sex: 'female' } as const;
const at = (egfr: number) => ({ ...woman, creatinineMgDl: creatinineForEgfr({ egfr, ...woman }) });

describe('chanceBelow', () => {
  it('is a half on the edge, and moves by standard deviations of log creatinine', () => {
    const { creatinineMgDl } = at(60);
    const higher = creatinineMgDl! * Math.exp(1.96 * logCreatinineSd());
    expect(chanceBelow(at(60), 60)).toBeCloseTo(0.5, 10);
    expect(chanceBelow({ ...woman, creatinineMgDl: higher }, 60)).toBeCloseTo(0.975, 5);
  });

  it('grows with the edge and with creatinine', () => {
    fc.assert(
      fc.property(adult, (reading) => {
        const chances = ALL_EDGES.map((edge) => chanceBelow(reading, edge)!);
        expect(chances).toEqual(chances.toSorted((a, b) => b - a));
        const more = { ...reading, creatinineMgDl: reading.creatinineMgDl * 1.1 };
        for (const [i, edge] of ALL_EDGES.entries())
          expect(chanceBelow(more, edge)!).toBeGreaterThanOrEqual(chances[i]!);
      }),
    );
  });

  it('is certain without variation, also on the edge itself', () => {
    const still = { cvWithinPerson: 0, cvAnalytical: 0 };
    for (const egfr of [59.99, 60, 60.01]) {
      const reading = { ...at(egfr), ...still };
      expect(chanceBelow(reading, 60)).toBe(ckdEpi2021(reading)! < 60 ? 1 : 0);
    }
  });

  it('is null without an estimate', () => {
    expect(chanceBelow({ ...at(60), age: 17 }, 60)).toBeNull();
    expect(chanceBelow({ ...at(60), creatinineMgDl: 0 }, 60)).toBeNull();
  });
});

describe('chanceOfOtherInterval', () => {
  it('is the flip probability of the G category when it has all five edges', () => {
    fc.assert(
      fc.property(adult, (reading) => {
        const { flipProbability, egfr } = categoryFlipProbability(reading)!;
        expect(chanceOfOtherInterval(reading, ALL_EDGES)).toBeCloseTo(flipProbability, 10);
        // Both come from one function, so the chance of staying between the two edges around the estimate is worked out here.
        const above = ALL_EDGES.filter((edge) => edge > egfr).map((edge) => chanceBelow(reading, edge)!);
        const below = ALL_EDGES.filter((edge) => edge <= egfr).map((edge) => chanceBelow(reading, edge)!);
        expect(flipProbability).toBeCloseTo(1 - Math.min(1, ...above) + Math.max(0, ...below), 10);
      }),
      { numRuns: 1000 },
    );
  });

  it('is that too without variation', () => {
    const still = { ...at(45), cvWithinPerson: 0, cvAnalytical: 0 };
    expect(chanceOfOtherInterval(still, ALL_EDGES)).toBe(categoryFlipProbability(still)!.flipProbability);
  });

  it('does not see an edge that the scale does not have', () => {
    const near45 = at(45.5);
    expect(chanceOfOtherInterval(near45, ALL_EDGES)).toBeGreaterThan(0.4);
    expect(chanceOfOtherInterval(near45, [90, 60, 30, 15])).toBeLessThan(0.001);
    expect(chanceOfOtherInterval(near45, [])).toBe(0);
  });

  it('is null without an estimate', () => {
    expect(chanceOfOtherInterval({ ...at(60), sex: null }, ALL_EDGES)).toBeNull();
  });
});
