import { describe, expect, it } from 'vitest';
import { creatinineForEgfr } from '../equations/ckd-epi.ts';
import { CKD_TASKS, ckdTask } from './tasks.ts';

const options = { source: 'cohort', scale: 'five', deferAbove: 0.2 } as const;
const at = (egfr: number, more = {}) => ({
  'Age (years)': 60,
  Sex: 'male',
  'Serum creatinine (mg/dL)': creatinineForEgfr({ egfr, age: 60, sex: 'male' }),
  'Urine albumin-creatinine ratio (mg/g)': 5,
  'Serum potassium (mEq/L)': 4.4,
  ...more,
});

describe('ckdTask', () => {
  it.each(CKD_TASKS)('ckd/%s has labels, arms, a pack and an endpoint that fit together', (name) => {
    const { task } = ckdTask(name, options);
    expect(task).toMatchObject({ id: `ckd/${name}`, pack: name, defaultArm: 'natural' });
    expect(Object.keys(task.arms)).toEqual(expect.arrayContaining(['natural', 'instructed']));
    expect(task.arms).toHaveProperty(task.primaryEndpoint.arm);
    expect(task.primaryEndpoint.why.length).toBeGreaterThan(20);
    expect(task.oneLook!.shouldDefer({ 'Clinical context': 'hay fever every spring' })).toBe(true);
  });

  it('has the label spaces of the three tasks', () => {
    const spaces = CKD_TASKS.map((name) => {
      const { labels, positiveLabel, ordered } = ckdTask(name, options).task;
      return [labels, positiveLabel, ordered];
    });
    expect(spaces).toEqual([
      [['present', 'absent'], 'present', false],
      [[1, 2, 3, 4, 5], undefined, true],
      [['stable', 'worsening', 'improving'], undefined, false],
    ]);
    expect(ckdTask('staging', { ...options, scale: 'six' }).task.labels).toEqual([1, 2, '3a', '3b', 4, 5]);
  });

  it('answers by the guideline from features alone, and null where they support nothing', () => {
    const { answer } = ckdTask('staging', options).task.guideline!;
    expect([answer(at(75)), answer(at(20)), answer(at(75, { 'Age (years)': 9 })), answer({})]).toEqual([
      2,
      4,
      null,
      null,
    ]);
  });

  it('defers by the guideline above the given probability, except in an emergency', () => {
    const defers = (egfr: number, deferAbove: number, more = {}) =>
      ckdTask('staging', { ...options, deferAbove }).task.guideline!.shouldDefer(at(egfr, more));
    expect([defers(61, 0.2), defers(64.5, 0.2), defers(75, 0.2)]).toEqual([true, false, false]);
    expect([defers(64.5, 0.1), defers(75, 0.1)]).toEqual([true, false]);
    expect(defers(75, 0.2, { 'Serum creatinine (mg/dL)': null })).toBe(true);
    const urgent = { 'Serum potassium (mEq/L)': 6.5 };
    expect(defers(61, 0.2, urgent)).toBe(false);
    expect(defers(61, 0.2, { ...urgent, 'Serum creatinine (mg/dL)': null })).toBe(false);
  });

  it('knows an emergency of the same day from features alone', () => {
    const { isEmergency } = ckdTask('staging', options).task;
    expect([at(75), at(8), at(75, { 'Haemoglobin (g/dL)': 6.8 })].map(isEmergency!)).toEqual([
      false,
      false,
      true,
    ]);
    expect(isEmergency!({ 'Serum potassium (mEq/L)': 6.5 })).toBe(true);
  });

  it('reads the UCI file by dipstick where it has no ACR, and the cohort never', () => {
    const { 'Urine albumin-creatinine ratio (mg/g)': _, ...strip } = at(100, {
      'Urine albumin, dipstick 0 to 5': 2,
    });
    const answer = (source: 'cohort' | 'uci') =>
      ckdTask('detection', { ...options, source }).task.guideline!.answer(strip);
    expect([answer('cohort'), answer('uci')]).toEqual([null, 'present']);
  });

  it('shows eGFR in one arm of staging, after all other features, as a whole number', () => {
    const { arms } = ckdTask('staging', options).task;
    const features = at(47.123456);
    const line = 'Estimated GFR (CKD-EPI 2021, mL/min/1.73 m2)';
    expect(Object.entries(arms.egfr_shown!.show!(features))).toEqual([
      ...Object.entries(features),
      [line, 47],
    ]);
    expect(arms.egfr_shown!.show!(at(50, { Sex: null }))[line]).toBe('cannot be estimated');
    expect([arms.natural!.show, arms.instructed!.show]).toEqual([undefined, undefined]);
    for (const name of ['detection', 'progression'] as const)
      expect(Object.values(ckdTask(name, options).task.arms).filter(({ show }) => show)).toEqual([]);
  });
});
