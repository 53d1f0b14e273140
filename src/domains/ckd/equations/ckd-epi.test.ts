import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ckdEpi2021, creatinineForEgfr, type Sex } from './ckd-epi.ts';

// creatinine, then eGFR at ages 30, 50, 70, to one decimal
const WORKED: Record<Sex, number[][]> = {
  female: [
    [0.6, 123.8, 109.3, 96.5],
    [0.8, 101.6, 89.7, 79.2],
    [1.0, 77.7, 68.6, 60.6],
    [1.2, 62.5, 55.1, 48.7],
    [1.5, 47.8, 42.2, 37.3],
    [2.0, 33.8, 29.9, 26.4],
    [3.0, 20.8, 18.4, 16.2],
    [5.0, 11.3, 9.9, 8.8],
  ],
  male: [
    [0.6, 133.2, 117.6, 103.8],
    [0.8, 122.1, 107.8, 95.2],
    [1.0, 103.8, 91.7, 81.0],
    [1.2, 83.4, 73.7, 65.1],
    [1.5, 63.8, 56.4, 49.8],
    [2.0, 45.2, 39.9, 35.2],
    [3.0, 27.8, 24.5, 21.7],
    [5.0, 15.1, 13.3, 11.7],
  ],
};

describe('ckdEpi2021', () => {
  it.each(['female', 'male'] as const)('gives the worked values, %s', (sex) => {
    for (const [creatinineMgDl, ...expected] of WORKED[sex]) {
      [30, 50, 70].forEach((age, i) => {
        const egfr = ckdEpi2021({ creatinineMgDl: creatinineMgDl!, age, sex })!;
        // The table was rounded to one decimal.
        expect(Math.abs(egfr - expected[i]!)).toBeLessThan(0.0501);
      });
    }
  });

  it('keeps the unrounded value', () => {
    expect(ckdEpi2021({ creatinineMgDl: 1, age: 50, sex: 'female' })).toBeCloseTo(68.633496659, 8);
    expect(ckdEpi2021({ creatinineMgDl: 8.5, age: 60, sex: 'male' })).toBeCloseTo(6.607180775, 8);
  });

  it('starts at 18 and has no answer below', () => {
    expect(ckdEpi2021({ creatinineMgDl: 1, age: 18, sex: 'female' })).toBeGreaterThan(80);
    expect(ckdEpi2021({ creatinineMgDl: 1, age: 17.99, sex: 'female' })).toBeNull();
  });

  it('has no answer when an input is missing or impossible', () => {
    expect(ckdEpi2021({ creatinineMgDl: null, age: 50, sex: 'male' })).toBeNull();
    expect(ckdEpi2021({ creatinineMgDl: 1, age: null, sex: 'male' })).toBeNull();
    expect(ckdEpi2021({ creatinineMgDl: 1, age: 50, sex: null })).toBeNull();
    for (const creatinineMgDl of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(ckdEpi2021({ creatinineMgDl, age: 50, sex: 'male' })).toBeNull();
    }
  });
});

describe('creatinineForEgfr', () => {
  it('inverts the equation on both sides of the kink', () => {
    const reading = {
      creatinineMgDl: fc.double({ min: 0.1, max: 40, noNaN: true }),
      age: fc.double({ min: 18, max: 110, noNaN: true }),
      sex: fc.constantFrom<Sex>('female', 'male'),
    };
    fc.assert(
      fc.property(fc.record(reading), (r) => {
        const back = creatinineForEgfr({ egfr: ckdEpi2021(r), age: r.age, sex: r.sex })!;
        expect(Math.abs(back / r.creatinineMgDl - 1)).toBeLessThan(1e-12);
      }),
    );
  });

  it('has no answer for children or for an eGFR of nothing', () => {
    expect(creatinineForEgfr({ egfr: 60, age: 17, sex: 'male' })).toBeNull();
    expect(creatinineForEgfr({ egfr: 0, age: 40, sex: 'male' })).toBeNull();
    expect(creatinineForEgfr({ egfr: null, age: 40, sex: 'male' })).toBeNull();
    expect(creatinineForEgfr({ egfr: 60, age: 40, sex: null })).toBeNull();
  });
});
