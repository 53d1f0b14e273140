import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../statistics/random.ts';
import { drawAnalytes } from './analytes.ts';
import { chooseProfile, type Group } from './groups.ts';

function draw(group: Group, sex: 'female' | 'male' = 'male', gfr = 90, creatinineMgDl = 0.95, age = 55) {
  const random = createRandom(12);
  const profile = chooseProfile(group, { gfr });
  return Array.from({ length: 1000 }, () =>
    drawAnalytes(random, { group, sex, age, creatinineMgDl, acr: group === 'ckd' ? 150 : 8, profile }),
  );
}
type Rows = ReturnType<typeof draw>;
const mean = (rows: Rows, column: keyof Rows[number]) =>
  rows.reduce((sum, row) => sum + (row[column] as number), 0) / rows.length;
const share = (rows: Rows, column: keyof Rows[number], value: string) =>
  rows.filter((row) => row[column] === value).length / rows.length;

describe('drawAnalytes', () => {
  it('gives each group its mark', () => {
    const healthy = draw('healthy');
    expect(mean(draw('anaemia'), 'hemo')).toBeLessThan(mean(healthy, 'hemo') - 3);
    expect(mean(draw('hypertension'), 'bp')).toBeGreaterThan(mean(healthy, 'bp') + 12);
    expect(share(draw('hypertension'), 'htn', 'yes')).toBe(1);
    expect(mean(draw('diabetes_without_nephropathy'), 'bgr')).toBeGreaterThan(mean(healthy, 'bgr') + 80);
    expect(share(draw('urinary_infection'), 'ba', 'present')).toBeGreaterThan(0.65);
    expect(mean(draw('acute_illness'), 'wbcc')).toBeGreaterThan(mean(healthy, 'wbcc') + 3000);
    expect(share(healthy, 'htn', 'yes')).toBe(0);
    expect(mean(healthy, 'su')).toBe(0);
  });

  it('follows creatinine in CKD', () => {
    const moderate = draw('ckd', 'male', 50, 1.6);
    const severe = draw('ckd', 'male', 8, 7);
    expect(mean(severe, 'bu')).toBeGreaterThan(2 * mean(moderate, 'bu'));
    expect(mean(severe, 'hemo')).toBeLessThan(mean(moderate, 'hemo') - 1.5);
    expect(mean(severe, 'pot')).toBeGreaterThan(mean(moderate, 'pot'));
  });

  it('gives women less haemoglobin and, at their own creatinine, the same urea', () => {
    const women = draw('healthy', 'female', 90, 0.7);
    const men = draw('healthy', 'male', 90, 0.9);
    expect(mean(men, 'hemo') - mean(women, 'hemo')).toBeGreaterThan(0.8);
    expect(mean(men, 'bu')).toBeCloseTo(mean(women, 'bu'), 9);
  });

  it('gives no anaemia with a normal haemoglobin, and no coronary disease to the young', () => {
    for (const row of [...draw('anaemia'), ...draw('ckd', 'male', 20, 3.5)]) {
      if (row.ane === 'yes') expect(row.hemo).toBeLessThan(13);
    }
    expect(share(draw('ckd', 'male', 20, 3.5, 25), 'cad', 'yes')).toBe(0);
    expect(share(draw('ckd', 'male', 20, 3.5, 70), 'cad', 'yes')).toBeGreaterThan(0.05);
  });
});
