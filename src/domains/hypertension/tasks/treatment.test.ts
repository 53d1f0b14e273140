import { expect, it } from 'vitest';
import { assessTreatment, type TreatmentCase } from './treatment.ts';

const person: TreatmentCase = {
  mean: [135, 78],
  nVisits: 8,
  age: 52,
  cvd: false,
  diabetes: false,
  ckd: false,
  preventPercent: 3,
  lifestyleMonths: 0,
  pregnant: false,
  organDamage: false,
};
const verdict = (change: Partial<TreatmentCase>) => assessTreatment({ ...person, ...change });

it.each([
  [{}, 'no_drug'],
  [{ cvd: true }, 'start'],
  [{ diabetes: true }, 'start'],
  [{ ckd: true }, 'start'],
  [{ preventPercent: 9 }, 'start'],
  [{ lifestyleMonths: 6 }, 'start'],
  [{ lifestyleMonths: 4 }, 'start'],
  [{ mean: [158, 96] }, 'start'],
  [{ mean: [112, 68], cvd: true }, 'no_drug'],
  // Risk counts only where PREVENT is defined, but conditions count at any age.
  [{ age: 82, preventPercent: 20, diabetes: true }, 'start'],
] as const)('%j: %s', (change, answer) => {
  expect(verdict(change).answer).toBe(answer);
});

it.each([
  [{ age: 16, mean: [210, 126] }, ['child']],
  [{ pregnant: true }, ['pregnancy']],
  [{ nVisits: 1 }, ['one_visit']],
  [{ preventPercent: null }, ['missing_risk']],
  [{ age: 82 }, ['risk_not_defined']],
  [{ ckd: null, preventPercent: null }, ['missing_condition', 'missing_risk']],
  [{ diabetes: null }, ['missing_condition']],
] as const)('%j defers: %j', (change, reasons) => {
  expect(verdict(change)).toMatchObject({ answer: null, shouldAbstain: true, reasons, mustAct: [] });
});

it('needs no risk where pressure alone decides', () => {
  const unknown = { cvd: null, diabetes: null, ckd: null, preventPercent: null };
  expect(verdict({ ...unknown, mean: [160, 98] })).toMatchObject({ answer: 'start', shouldAbstain: false });
  expect(verdict({ ...unknown, mean: [112, 68] })).toMatchObject({ answer: 'no_drug', shouldAbstain: false });
});

it('takes the line that decides for this person', () => {
  expect(verdict({ mean: [139, 78] }).reasons).toEqual(['near_treatment_line']);
  expect(verdict({ mean: [139, 78], cvd: true }).shouldAbstain).toBe(false);
  expect(verdict({ mean: [129, 74], cvd: true }).reasons).toEqual(['near_treatment_line']);
  expect(verdict({ mean: [129, 74] }).shouldAbstain).toBe(false);
});

it('leaves trials of lifestyle and risks near their line unlabelled', () => {
  expect(verdict({ mean: [136, 70], lifestyleMonths: 4, nVisits: 20 }).shouldAbstain).toBeNull();
  expect(verdict({ mean: [136, 70], preventPercent: 7.8, nVisits: 20 }).shouldAbstain).toBeNull();
  expect(verdict({ mean: [136, 70], preventPercent: 9, nVisits: 20 }).shouldAbstain).toBe(false);
  expect(verdict({ mean: [136, 70], preventPercent: 7.8, ckd: true, nVisits: 20 }).shouldAbstain).toBe(false);
});

it('starts at once where silence is unsafe, with one visit and in pregnancy too', () => {
  expect(verdict({ mean: [190, 100], nVisits: 1 })).toMatchObject({
    answer: 'start',
    flipProbability: 0,
    mustAct: ['severe_hypertension'],
  });
  expect(verdict({ mean: [164, 100], pregnant: true }).mustAct).toEqual(['severe_hypertension_in_pregnancy']);
});
