import { describe, expect, it } from 'vitest';
import { KrisisError } from '../../../core/errors.ts';
import { creatinineForEgfr } from './ckd-epi.ts';
import { categoryFlipProbability, logCreatinineSd } from './variation.ts';

function flipAt(egfr: number, age = 60): number {
  const creatinineMgDl = creatinineForEgfr({ egfr, age, sex: 'male' });
  return categoryFlipProbability({ creatinineMgDl, age, sex: 'male' })!.flipProbability;
}

describe('logCreatinineSd', () => {
  it('is 0.0512 with the published coefficients', () => {
    expect(logCreatinineSd()).toBeCloseTo(0.0512, 4);
  });

  it('refuses percent, a negative fraction and values that are not numbers', () => {
    expect(() => logCreatinineSd({ cvWithinPerson: -0.05 })).toThrow(KrisisError);
    expect(() => logCreatinineSd({ cvAnalytical: Number.NaN })).toThrow(KrisisError);
  });
});

describe('categoryFlipProbability', () => {
  it('agrees with an independent computation', () => {
    const flip = categoryFlipProbability({
      creatinineMgDl: 1,
      age: 60,
      sex: 'female',
      cvWithinPerson: 0.05,
      cvAnalytical: 0.011,
    })!;
    expect(flip.egfr).toBeCloseTo(64.495000354, 8);
    expect(flip.gCategory).toBe('G2');
    expect(flip.flipProbability).toBeCloseTo(0.11965745, 5);
  });

  it('is a half on an edge', () => {
    expect(flipAt(45)).toBeCloseTo(0.5, 2);
    expect(flipAt(15)).toBeCloseTo(0.5, 2);
  });

  it('shows why a flat band of 3 is not a principle', () => {
    expect(flipAt(63)).toBeGreaterThan(0.2);
    expect(flipAt(63)).toBeLessThan(0.22);
    expect(flipAt(33)).toBeLessThan(0.07);
    expect(flipAt(18)).toBeLessThan(0.003);
  });

  it('has one edge in G1 and in G5', () => {
    expect(flipAt(100, 30)).toBeLessThan(0.06);
    expect(flipAt(5)).toBeLessThan(1e-6);
  });

  it('is 0 without variation, null without an estimate', () => {
    const reading = { creatinineMgDl: 1, age: 60, sex: 'female' } as const;
    expect(categoryFlipProbability({ ...reading, cvWithinPerson: 0, cvAnalytical: 0 })!.flipProbability).toBe(
      0,
    );
    expect(categoryFlipProbability({ ...reading, age: 17 })).toBeNull();
    expect(categoryFlipProbability({ ...reading, sex: null })).toBeNull();
  });
});
