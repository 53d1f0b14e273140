import { describe, expect, it } from 'vitest';
import { chooseProfile, GROUPS } from './groups.ts';

describe('chooseProfile', () => {
  it('has a profile for every group, with possible frequencies', () => {
    for (const group of GROUPS) {
      for (const share of Object.values(chooseProfile(group, { gfr: 75 }).frequency)) {
        expect(share).toBeGreaterThan(0);
        expect(share).toBeLessThanOrEqual(1);
      }
    }
  });

  it('takes only established CKD from the CKD rows as a whole, blood as published from GFR 30 down', () => {
    expect(GROUPS.filter((group) => chooseProfile(group, { gfr: 75 }).base === 'ckd')).toEqual([]);
    expect(chooseProfile('ckd', { gfr: 30 })).toMatchObject({ base: 'ckd', shift: { hemo: 0, bu: 0 } });
    expect(chooseProfile('ckd', { gfr: 45 }).shift.hemo).toBeCloseTo(0.4, 12);
    expect(chooseProfile('ckd', { gfr: 5 }).shift).toMatchObject({ hemo: 0, bu: 0 });
  });

  it('raises potassium as GFR falls below 45', () => {
    const potassium = [5, 15, 30, 44].map((gfr) => chooseProfile('ckd', { gfr }).shift.pot!);
    expect(potassium).toEqual(potassium.toSorted((a, b) => b - a));
    expect(potassium[0]! - potassium[3]!).toBeGreaterThan(0.7);
  });

  it('draws the renal panel of acute kidney injury from the CKD rows', () => {
    const { fromCkd, base } = chooseProfile('acute_illness', { gfr: 90, acuteKidneyInjury: true });
    expect(base).toBe('notckd');
    expect([...fromCkd]).toEqual(expect.arrayContaining(['sc', 'bu', 'sod', 'pot', 'wbcc']));
  });
});
