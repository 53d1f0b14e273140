import { describe, expect, it } from 'vitest';
import { CATEGORIES, GUIDELINES, type Pressure } from '../blood-pressure.ts';
import { assessClassification, type ClassificationCase } from './classification.ts';

const ACC = { guideline: 'acc_aha_2025' } as const;
const ESC = { guideline: 'esc_2024' } as const;
const visits = (n: number, ...readings: Pressure[]) =>
  Array.from({ length: n }, (_, i) => ({ day: i * 21, readings }));
const around = (sbp: number, dbp: number): Pressure[] => [
  [sbp + 1, dbp + 1],
  [sbp, dbp],
  [sbp - 1, dbp - 1],
];
const person = (sbp: number, dbp: number, n = 6): ClassificationCase => ({
  visits: visits(n, ...around(sbp, dbp)),
  age: 50,
  pregnant: false,
  organDamage: false,
  acuteState: false,
  cuff: 'right',
  rested: true,
  armMeasured: null,
  armDifferenceMmHg: null,
  rhythm: 'regular',
});

describe('rules in their order', () => {
  it.each([
    ['child', { age: 15 }, 'child'],
    ['pregnancy', { pregnant: true }, 'pregnancy'],
    ['acute illness', { acuteState: true }, 'acute_illness_or_pain'],
    ['child before pregnancy', { age: 15, pregnant: true, acuteState: true }, 'child'],
    ['no visit', { visits: [] }, 'no_reading'],
    ['one visit', { visits: visits(1, ...around(112, 66)) }, 'one_visit'],
    ['single readings', { visits: visits(5, [112, 66]) }, 'single_reading'],
    ['two readings apart', { visits: visits(3, [125, 70], [114, 70]) }, 'unstable_readings'],
    [
      'fibrillation with two readings',
      { rhythm: 'atrial_fibrillation', visits: visits(3, [112, 66], [110, 66]) },
      'atrial_fibrillation',
    ],
  ] as const)('%s', (_, change, reason) => {
    expect(assessClassification({ ...person(112, 66), ...change }, ACC)).toEqual({
      answer: null,
      flipProbability: null,
      shouldAbstain: true,
      reasons: [reason],
      mustAct: [],
    });
  });

  it('names every obstacle in the fixed order', () => {
    const mixed = [
      { day: 0, readings: [] },
      { day: 9, readings: [[112, 66]] },
      {
        day: 20,
        readings: [
          [126, 66],
          [112, 66],
        ],
      },
    ] as const;
    const { reasons } = assessClassification({ ...person(112, 66), visits: mixed }, ACC);
    expect(reasons).toEqual(['unstable_readings', 'single_reading', 'no_reading']);
  });

  it('takes fibrillation with three readings a visit', () => {
    const given = { ...person(112, 66), rhythm: 'atrial_fibrillation' } as const;
    expect(assessClassification(given, ACC).answer).toBe('normal');
  });
});

describe('faults have a direction', () => {
  it.each([
    ['small cuff, normal', 108, { cuff: 'too_small' }, []],
    ['small cuff, stage 2', 158, { cuff: 'too_small' }, ['cuff_too_small']],
    ['no rest, stage 1', 135, { rested: false }, ['not_rested']],
    ['large cuff, stage 2', 158, { cuff: 'too_large' }, []],
    ['large cuff, normal', 108, { cuff: 'too_large' }, ['cuff_too_large']],
    ['lower arm, 12 apart', 108, { armMeasured: 'lower', armDifferenceMmHg: 12 }, ['lower_arm_measured']],
    ['lower arm, 8 apart', 108, { armMeasured: 'lower', armDifferenceMmHg: 8 }, []],
    ['lower arm, stage 2', 158, { armMeasured: 'lower', armDifferenceMmHg: 12 }, []],
    [
      'all faults are named',
      158,
      { cuff: 'too_small', rested: false, armMeasured: 'lower', armDifferenceMmHg: 12 },
      ['cuff_too_small', 'not_rested', 'lower_arm_measured'],
    ],
    ['not recorded is no fault', 135, { cuff: null, rested: null }, []],
  ] as const)('%s', (_, sbp, change, reasons) => {
    const verdict = assessClassification({ ...person(sbp, sbp > 150 ? 95 : 66, 10), ...change }, ACC);
    expect(verdict.reasons).toEqual(reasons);
    expect(verdict.answer === null).toBe(reasons.length > 0);
  });
});

describe('must act', () => {
  const severe = { ...person(204, 118, 1) };
  it('answers with one visit, emergency or not', () => {
    expect(assessClassification(severe, ACC)).toMatchObject({
      answer: 'stage_2',
      shouldAbstain: false,
      mustAct: ['severe_hypertension'],
    });
  });
  it('organ damage keeps the answer and changes why silence is unsafe', () => {
    const { answer, mustAct } = assessClassification({ ...severe, organDamage: true }, ACC);
    expect([answer, mustAct]).toEqual(['stage_2', ['hypertensive_emergency']]);
  });
  it('a fault that reads high takes it back, but not with organ damage', () => {
    const small = { ...severe, cuff: 'too_small' } as const;
    expect(assessClassification(small, ACC)).toMatchObject({ answer: null, mustAct: [] });
    expect(assessClassification({ ...small, organDamage: true }, ACC).answer).toBe('stage_2');
  });
  it('never for a child', () => {
    expect(assessClassification({ ...severe, age: 16 }, ACC)).toMatchObject({
      reasons: ['child'],
      mustAct: [],
    });
  });
  it('goes by the latest day, not by the last of the list', () => {
    const [first] = visits(1, ...around(204, 118));
    const given = { ...person(140, 80), visits: [{ ...first!, day: 90 }, ...visits(3, ...around(132, 80))] };
    expect(assessClassification(given, ACC).mustAct).toEqual(['severe_hypertension']);
  });
});

describe('pairs', () => {
  it('the guideline moves 134/78', () => {
    expect(assessClassification(person(134, 78, 10), ACC).answer).toBe('stage_1');
    expect(assessClassification(person(134, 78, 10), ESC).answer).toBe('elevated');
  });
  it('a cuff fault added to stage 1 makes it must-defer', () => {
    expect(assessClassification(person(137, 84, 10), ACC).shouldAbstain).not.toBe(true);
    expect(assessClassification({ ...person(137, 84, 10), cuff: 'too_large' }, ACC).shouldAbstain).toBe(true);
  });
  it('a second visit with the same mean turns one_visit into an answer', () => {
    expect(assessClassification(person(160, 98, 1), ACC).reasons).toEqual(['one_visit']);
    expect(assessClassification(person(160, 98, 2), ACC)).toMatchObject({
      answer: 'stage_2',
      shouldAbstain: false,
    });
  });
  it.each(GUIDELINES)('%s: 10 mmHg more on every reading never lowers the category', (guideline) => {
    const rank = (sbp: number, dbp: number) =>
      CATEGORIES[guideline].indexOf(assessClassification(person(sbp, dbp), { guideline }).answer!);
    for (let sbp = 95; sbp < 170; sbp += 3) {
      for (let dbp = 50; dbp < 100; dbp += 3)
        expect(rank(sbp + 10, dbp + 10)).toBeGreaterThanOrEqual(rank(sbp, dbp));
    }
  });
  it('rounding to ten widens the zone of doubt', () => {
    const round = { ...person(120, 70), visits: visits(10, [120, 70], [120, 70], [120, 70]) };
    const exact = { ...round, visits: visits(10, [121, 70], [120, 70], [119, 70]) };
    const flip = (given: ClassificationCase, findRounding = true) =>
      assessClassification(given, { ...ACC, findRounding }).flipProbability!;
    expect(flip(round)).toBeGreaterThan(flip(exact) * 3);
    expect(flip(round, false)).toBe(flip(exact));
  });
  it('is unlabelled within 2 mmHg of another line than that of hypertension', () => {
    expect(assessClassification(person(109, 66, 10), ACC).shouldAbstain).toBe(false);
    expect(assessClassification(person(119, 66, 10), ACC).shouldAbstain).toBeNull();
  });
});
