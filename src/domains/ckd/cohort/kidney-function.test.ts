import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../statistics/random.ts';
import { gCategory } from '../equations/kdigo.ts';
import { GROUPS } from './groups.ts';
import { acrScore, drawKidneyState, gfrCeiling } from './kidney-function.ts';

const ages = [6, 20, 35, 50, 65, 80, 92];
const sexes = ['female', 'male'] as const;

describe('drawKidneyState', () => {
  it('gives CKD to the CKD group only', () => {
    const random = createRandom(7);
    for (const group of GROUPS) {
      for (const age of ages) {
        for (const sex of sexes) {
          for (let i = 0; i < 50; i++) {
            const { gfr, acr } = drawKidneyState(random, { group, age, sex });
            expect(gfr < 60 || acr >= 30).toBe(group === 'ckd');
            expect(gfr).toBeLessThanOrEqual(gfrCeiling(age, sex) + 0.01);
            expect(gfr).toBeGreaterThanOrEqual(5);
            expect(acr).toBeGreaterThan(0.5);
          }
        }
      }
    }
  });

  it('has every category in CKD', () => {
    const random = createRandom(8);
    const drawn = Array.from({ length: 5000 }, () =>
      gCategory(drawKidneyState(random, { group: 'ckd', age: 50, sex: 'female' }).gfr),
    );
    const shares = Object.groupBy(drawn, (category) => category);
    for (const category of ['G1', 'G2', 'G3a', 'G3b', 'G4', 'G5'] as const) {
      expect(shares[category]!.length / drawn.length).toBeGreaterThan(0.12);
    }
  });

  it('has GFR fall with age in health', () => {
    const meanAt = (age: number) => {
      const random = createRandom(9);
      let sum = 0;
      for (let i = 0; i < 1000; i++)
        sum += drawKidneyState(random, { group: 'healthy', age, sex: 'male' }).gfr;
      return sum / 1000;
    };
    expect(meanAt(25)).toBeGreaterThan(100);
    expect(meanAt(75)).toBeLessThan(78);
  });
});

describe('acrScore', () => {
  it('rises with ACR and is about 0 at the median of the class', () => {
    expect(acrScore(8, 'healthy')).toBe(0);
    expect(acrScore(12, 'hypertension')).toBe(0);
    expect(acrScore(180, 'ckd')).toBeCloseTo(0, 1);
    expect(acrScore(1, 'ckd')).toBeLessThan(acrScore(100, 'ckd'));
    expect(acrScore(20_000, 'ckd')).toBeLessThan(3);
  });
});
