import { describe, expect, it } from 'vitest';
import type { Label } from '../../../core/label.ts';
import type { CkdCase } from '../case.ts';
import { creatinineForEgfr } from '../equations/ckd-epi.ts';
import { assessStage, assignStage, STAGE_LABELS } from './staging.ts';

const at = (egfr: number): CkdCase => ({
  age: 60,
  sex: 'male',
  creatinineMgDl: creatinineForEgfr({ egfr, age: 60, sex: 'male' }),
  acrMgPerG: null,
  dipstick: null,
  potassium: null,
  sodium: null,
  haemoglobin: null,
  context: null,
  visits: [],
});

describe('assignStage', () => {
  it.each<[number, Label, Label]>([
    [90, 1, 1],
    [89.99, 2, 2],
    [60, 2, 2],
    [59.99, 3, '3a'],
    [45, 3, '3a'],
    [44.99, 3, '3b'],
    [30, 3, '3b'],
    [29.99, 4, 4],
    [15, 4, 4],
    [14.99, 5, 5],
  ])('puts an eGFR of %f in %s, or %s of six', (egfr, five, six) => {
    expect([assignStage(egfr, 'five'), assignStage(egfr, 'six')]).toEqual([five, six]);
  });
});

describe('assessStage', () => {
  it('stages by unrounded eGFR: 59.99 is not 60', () => {
    expect(assessStage(at(59.99), 'five').answer).toBe(3);
    expect(assessStage(at(60.01), 'five').answer).toBe(2);
  });

  it('gives every label of its scale, and no other', () => {
    const egfrs = [100, 75, 50, 40, 20, 8];
    for (const scale of ['five', 'six'] as const) {
      const given = egfrs.map((egfr) => assessStage(at(egfr), scale).answer);
      expect([...new Set(given)]).toEqual(STAGE_LABELS[scale]);
    }
  });

  it('counts only the edges of its scale', () => {
    expect(assessStage(at(45.5), 'five').flipProbability).toBeLessThan(0.05);
    expect(assessStage(at(45.5), 'six').flipProbability).toBeGreaterThan(0.2);
    expect(assessStage(at(60.5), 'five').flipProbability).toBeGreaterThan(0.2);
    expect(assessStage(at(60.5), 'five').reasons).toEqual(['near_stage_threshold']);
  });

  it('counts 90 as doubt, and not as doubt that decides anything', () => {
    for (const scale of ['five', 'six'] as const) {
      const near90 = assessStage(at(90.5), scale);
      expect(near90.flipProbability).toBeGreaterThan(0.4);
      expect(near90.decisiveFlip).toBeLessThan(0.001);
      expect(near90).toMatchObject({ shouldAbstain: null, reasons: [] });
      const near60 = assessStage(at(60.5), scale);
      expect(near60.decisiveFlip).toBeCloseTo(near60.flipProbability!, 6);
      expect(near60.shouldAbstain).toBe(true);
    }
    expect(assessStage(at(110), 'five').shouldAbstain).toBe(false);
  });

  it('has the band of METRICS.md 5.2: 60 is left at about 63.1 for 0.20, at about 66.1 for 0.05', () => {
    const flip = (egfr: number) => assessStage(at(egfr), 'five').flipProbability!;
    expect(flip(63)).toBeGreaterThan(0.2);
    expect(flip(63.3)).toBeLessThan(0.2);
    expect(flip(65.7)).toBeGreaterThan(0.05);
    expect(flip(66.5)).toBeLessThan(0.05);
  });

  it.each<[Partial<CkdCase>, string]>([
    [{ creatinineMgDl: null }, 'missing_creatinine'],
    [{ age: null }, 'missing_age'],
    [{ sex: null }, 'missing_sex'],
    [{ age: 12 }, 'child'],
    [{ context: 'pregnant' }, 'pregnancy'],
    [{ context: 'dialysis' }, 'dialysis'],
    [{ context: 'acuteKidneyInjury' }, 'acute_kidney_injury'],
    [{ context: 'extremeMuscleMass' }, 'extreme_muscle_mass'],
    [{ context: 'amputation' }, 'amputation'],
  ])('supports no stage with %j', (change, reason) => {
    expect(assessStage({ ...at(80), ...change }, 'five')).toEqual({
      answer: null,
      flipProbability: null,
      shouldAbstain: true,
      reasons: [reason],
      mustAct: [],
    });
  });
});
