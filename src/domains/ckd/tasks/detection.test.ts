import { describe, expect, it } from 'vitest';
import type { CkdCase } from '../case.ts';
import { creatinineForEgfr } from '../equations/ckd-epi.ts';
import { assessDetection, assessUciDetection } from './detection.ts';

const at = (egfr: number, more: Partial<CkdCase> = {}): CkdCase => ({
  age: 50,
  sex: 'female',
  creatinineMgDl: creatinineForEgfr({ egfr, age: 50, sex: 'female' }),
  acrMgPerG: 5,
  dipstick: 0,
  potassium: null,
  sodium: null,
  haemoglobin: null,
  context: null,
  visits: [],
  ...more,
});

describe('assessDetection', () => {
  it.each<[number, number | null, string | null]>([
    [60.01, 29.9, 'absent'],
    [59.99, 29.9, 'present'],
    [60.01, 30, 'present'],
    [100, 0, 'absent'],
    [100, 300, 'present'],
    [20, 0, 'present'],
    [59.99, null, 'present'],
    [60.01, null, null],
  ])('with eGFR %f and ACR %s says %s', (egfr, acrMgPerG, answer) => {
    expect(assessDetection(at(egfr, { acrMgPerG })).answer).toBe(answer);
  });

  it('needs both for an absent, and says which is missing', () => {
    const noEgfr = { creatinineMgDl: null };
    expect(assessDetection(at(100, { acrMgPerG: null })).reasons).toEqual(['missing_acr']);
    expect(assessDetection(at(100, noEgfr)).reasons).toEqual(['missing_creatinine']);
    expect(assessDetection(at(100, { age: null, acrMgPerG: null })).reasons).toEqual([
      'missing_age',
      'missing_acr',
    ]);
    expect(assessDetection(at(100, { sex: null })).reasons).toEqual(['missing_sex']);
    expect(assessDetection(at(100, { ...noEgfr, acrMgPerG: 300 }))).toMatchObject({
      answer: 'present',
      reasons: [],
    });
  });

  it('takes dialysis for CKD, whatever else is known or missing', () => {
    for (const more of [{}, { creatinineMgDl: null, acrMgPerG: null, age: null }]) {
      expect(assessDetection(at(8, { ...more, context: 'dialysis' }))).toMatchObject({
        answer: 'present',
        flipProbability: 0,
        reasons: [],
      });
    }
  });

  it.each<[Partial<CkdCase>, string]>([
    [{ context: 'pregnant' }, 'pregnancy'],
    [{ context: 'acuteKidneyInjury' }, 'acute_kidney_injury'],
  ])('supports no answer with %j, not even with albuminuria', (change, reason) => {
    for (const acrMgPerG of [5, 300, null]) {
      expect(assessDetection(at(40, { ...change, acrMgPerG }))).toMatchObject({
        answer: null,
        flipProbability: null,
        reasons: [reason],
      });
    }
  });

  it.each<[string, Partial<CkdCase>]>([
    ['extreme_muscle_mass', { context: 'extremeMuscleMass' }],
    ['amputation', { context: 'amputation' }],
    ['child', { age: 9 }],
  ])('lets albuminuria speak, and creatinine not, with %s', (reason, change) => {
    expect(assessDetection(at(40, change)).reasons).toEqual([reason]);
    const known = assessDetection(at(100, { ...change, acrMgPerG: 300 }));
    expect([known.answer, known.reasons]).toEqual(['present', []]);
    expect(known.flipProbability).toBeLessThan(0.001);
    // eGFR must not count for "absent" either
    const lower = assessDetection(at(40, { ...change, acrMgPerG: 300 }));
    expect(lower.flipProbability).toBe(known.flipProbability);
  });

  it('does not call red cells in the urine absent, and needs none of them for a present', () => {
    const bloody = { urineRedCells: true };
    expect(assessDetection(at(100, bloody))).toMatchObject({
      answer: null,
      reasons: ['unexplained_urine_red_cells'],
    });
    expect(assessDetection(at(40, bloody))).toEqual(assessDetection(at(40)));
    expect(assessDetection(at(100, { ...bloody, acrMgPerG: null })).reasons).toEqual(['missing_acr']);
    expect(assessDetection(at(100, { urineRedCells: false })).answer).toBe('absent');
  });

  it('is sure near either line too: what is shown has lasted, so one sample that varies is no doubt', () => {
    for (const [egfr, acrMgPerG] of [
      [60.01, 1],
      [59.99, 1],
      [110, 30],
      [110, 29.9],
      [59.99, null],
    ] as const)
      expect(assessDetection(at(egfr, { acrMgPerG }))).toMatchObject({
        shouldAbstain: false,
        reasons: [],
      });
  });
});

describe('assessUciDetection', () => {
  const uci = (egfr: number, more: Partial<CkdCase> = {}) =>
    assessUciDetection(at(egfr, { acrMgPerG: null, ...more }));

  it.each<[number, number | null, string | null]>([
    [60.01, 0, 'absent'],
    [59.99, 0, 'present'],
    [100, 1, 'present'],
    [59.99, null, 'present'],
    [60.01, null, null],
  ])('with eGFR %f and dipstick %s says %s', (egfr, dipstick, answer) => {
    expect(uci(egfr, { dipstick }).answer).toBe(answer);
  });

  it('names what is missing, and defers on children without albumin', () => {
    expect(uci(100, { dipstick: null }).reasons).toEqual(['missing_albumin']);
    expect(uci(100, { creatinineMgDl: null }).reasons).toEqual(['missing_creatinine']);
    expect(uci(100, { age: null, dipstick: null }).reasons).toEqual(['missing_age', 'missing_albumin']);
    expect(uci(100, { age: 8, dipstick: 0 })).toMatchObject({ answer: null, reasons: ['child'] });
    expect(uci(100, { age: 8, dipstick: 3 })).toMatchObject({ answer: 'present', reasons: [] });
  });

  it('lets the strip settle it where there is no eGFR', () => {
    expect(uci(100, { creatinineMgDl: null, dipstick: 2 })).toMatchObject({
      answer: 'present',
      flipProbability: 0,
    });
  });

  it('is sure near 60', () => {
    for (const egfr of [60.01, 59.99]) expect(uci(egfr).shouldAbstain).toBe(false);
  });

  it('leaves a strip of 1, and nothing else, in the grey zone', () => {
    for (const more of [{}, { creatinineMgDl: null }]) {
      const strip = uci(100, { ...more, dipstick: 1 });
      expect(strip).toMatchObject({ shouldAbstain: null, reasons: [] });
      expect(uci(100, { ...more, dipstick: 2 }).flipProbability).toBe(0);
    }
  });

  it('prefers an ACR to the strip where the file has one', () => {
    expect(uci(100, { acrMgPerG: 29.9, dipstick: 3 }).answer).toBe('absent');
    expect(uci(100, { acrMgPerG: 30, dipstick: 0 }).answer).toBe('present');
    expect(uci(100, { acrMgPerG: 5, dipstick: null }).answer).toBe('absent');
  });
});
