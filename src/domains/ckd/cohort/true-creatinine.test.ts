import { describe, expect, it } from 'vitest';
import { ckdEpi2021 } from '../equations/ckd-epi.ts';
import { trueCreatinine } from './generate-cohort.ts';

describe('trueCreatinine', () => {
  it('gives back the GFR by CKD-EPI', () => {
    for (const sex of ['female', 'male'] as const) {
      for (const gfr of [5, 14.99, 44, 60, 89, 110]) {
        const creatinineMgDl = trueCreatinine({ gfr, age: 47, sex });
        expect(ckdEpi2021({ creatinineMgDl, age: 47, sex })).toBeCloseTo(gfr, 9);
      }
    }
  });

  it('is that of a child in a child', () => {
    const healthy = trueCreatinine({ gfr: 110, age: 8, sex: 'male' });
    expect(healthy).toBeGreaterThan(0.3);
    expect(healthy).toBeLessThan(0.7);
  });
});
