import { describe, expect, it } from 'vitest';
import { type CkdTaskName, ckdTask } from './tasks.ts';

const oneLook = (name: CkdTaskName, scale: 'five' | 'six', source: 'cohort' | 'uci' = 'cohort') =>
  ckdTask(name, { source, scale, deferAbove: 0.2 }).task.oneLook!;

const man = {
  'Age (years)': 60,
  Sex: 'male',
  'Clinical context': 'nothing special recorded',
  'Serum creatinine (mg/dL)': 1,
  'Urine albumin-creatinine ratio (mg/g)': 5,
};
const series = (...creatinine: (number | null)[]) => ({
  ...man,
  Visits: creatinine.map((value, i) => ({
    date: `20${20 + i}-01-01`,
    'age (years)': 56 + i,
    'serum creatinine (mg/dL)': value,
    'urine albumin-creatinine ratio (mg/g)': 5,
  })),
});

describe.each(['detection', 'staging'] as const)('one look at %s', (name) => {
  const { shouldDefer } = oneLook(name, 'five');

  it('defers on any context line, of consequence or not, on a child and on a missing critical value', () => {
    expect(shouldDefer(man)).toBe(false);
    for (const change of [
      { 'Clinical context': 'pregnant' },
      { 'Clinical context': 'hay fever every spring' },
      { 'Age (years)': 12 },
      { 'Age (years)': null },
      { Sex: null },
      { 'Serum creatinine (mg/dL)': null },
    ])
      expect(shouldDefer({ ...man, ...change })).toBe(true);
  });
});

describe('one look', () => {
  it('detects by raw creatinine or ACR', () => {
    const { answer, shouldDefer } = oneLook('detection', 'five');
    const at = (creatinine: number, acr: number | null) => ({
      ...man,
      'Serum creatinine (mg/dL)': creatinine,
      'Urine albumin-creatinine ratio (mg/g)': acr,
    });
    expect([at(1.19, 29), at(1.2, 5), at(1, 30)].map(answer)).toEqual(['absent', 'present', 'present']);
    expect(shouldDefer(at(3, null))).toBe(true);
  });

  it('goes by the strip on the UCI file', () => {
    const { 'Urine albumin-creatinine ratio (mg/g)': _, 'Clinical context': __, ...bare } = man;
    const { answer, shouldDefer } = oneLook('detection', 'five', 'uci');
    const strip = (grade: number | null) => ({ ...bare, 'Urine albumin, dipstick 0 to 5': grade });
    expect([strip(0), strip(2)].map(answer)).toEqual(['absent', 'present']);
    expect([strip(0), strip(null)].map(shouldDefer)).toEqual([false, true]);
  });

  it('stages by raw creatinine alone: age and sex change nothing', () => {
    const stage = (scale: 'five' | 'six') => (creatinine: number) =>
      oneLook('staging', scale).answer({ ...man, 'Serum creatinine (mg/dL)': creatinine });
    expect([0.8, 1, 1.3, 1.8, 3, 5].map(stage('five'))).toEqual([1, 2, 3, 3, 4, 5]);
    expect([0.8, 1, 1.3, 1.8, 3, 5].map(stage('six'))).toEqual([1, 2, '3a', '3b', 4, 5]);
    expect(oneLook('staging', 'five').answer({ ...man, Sex: 'female', 'Age (years)': 90 })).toBe(2);
  });

  it('judges a course by the first and the last creatinine, and defers on any gap', () => {
    const { answer, shouldDefer } = oneLook('progression', 'five');
    expect([series(1, 2, 1.1), series(1, 1, 1.2), series(1.2, 1, 1)].map(answer)).toEqual([
      'stable',
      'worsening',
      'improving',
    ]);
    expect([series(1, 1, 1), series(1, null, 1)].map(shouldDefer)).toEqual([false, true]);
    expect(answer(series(1, null))).toBeNull();
  });
});
