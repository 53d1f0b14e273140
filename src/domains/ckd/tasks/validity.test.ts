import { describe, expect, it } from 'vitest';
import { type CkdCase, CONTEXTS, type Context, egfrObstacles } from '../case.ts';
import { ckdEpi2021 } from '../equations/ckd-epi.ts';

const fine: CkdCase = {
  age: 18,
  sex: 'female',
  creatinineMgDl: 0.8,
  acrMgPerG: null,
  dipstick: null,
  potassium: null,
  sodium: null,
  haemoglobin: null,
  context: null,
  visits: [],
};

describe('egfrObstacles', () => {
  it.each<[string, Partial<CkdCase>, string[]]>([
    ['an adult of 18', {}, []],
    ['no creatinine', { creatinineMgDl: null }, ['missing_creatinine']],
    ['no age', { age: null }, ['missing_age']],
    ['no sex', { sex: null }, ['missing_sex']],
    ['17 years', { age: 17 }, ['child']],
    ['pregnancy', { context: 'pregnant' }, ['pregnancy']],
    ['dialysis', { context: 'dialysis' }, ['dialysis']],
    ['acute illness', { context: 'acuteKidneyInjury' }, ['acute_kidney_injury']],
    ['unusual muscle', { context: 'extremeMuscleMass' }, ['extreme_muscle_mass']],
    ['amputation', { context: 'amputation' }, ['amputation']],
    [
      'several at once',
      { creatinineMgDl: null, age: 12, sex: null, context: 'dialysis' },
      ['missing_creatinine', 'missing_sex', 'child', 'dialysis'],
    ],
  ])('with %s', (_, change, reasons) => {
    expect(egfrObstacles({ ...fine, ...change })).toEqual(reasons);
  });

  it('has a reason for every context a record can show', () => {
    const reasons = (Object.keys(CONTEXTS) as Context[]).map((context) =>
      egfrObstacles({ ...fine, context }),
    );
    expect(new Set(reasons.flat()).size).toBe(Object.keys(CONTEXTS).length);
  });

  it('finds something wherever the equation gives nothing', () => {
    for (const change of [{ creatinineMgDl: null }, { age: null }, { age: 17.9 }, { sex: null }]) {
      expect(ckdEpi2021({ ...fine, ...change })).toBeNull();
      expect(egfrObstacles({ ...fine, ...change })).toHaveLength(1);
    }
  });
});
