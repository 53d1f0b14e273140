import { describe, expect, it } from 'vitest';
import { HYPERTENSION_FUNCTIONS } from './hypertension-functions.ts';

const call = (name: string, inputs: Record<string, unknown>, params: Record<string, unknown> = {}) =>
  HYPERTENSION_FUNCTIONS[name]!(inputs, params);
const ASSESSMENTS = [
  'hypertension_classification',
  'bp_phenotype',
  'antihypertensive_decision',
  'bp_control',
] as const;

it.each(ASSESSMENTS)('%s of nothing defers and is never must-act', (name) => {
  expect(call(name, {})).toMatchObject({ answer: null, should_abstain: true, must_act: false });
});

it('takes nulls, empty lists and readings with gaps', () => {
  const visits = [{ day: null, readings: [[150, 92], null, [148, null], [146, 90]] }, { readings: [] }, null];
  expect(call('office_bp_average', { visits })).toEqual({ sbp: 148, dbp: 91, n_visits: 1 });
  expect(call('office_bp_average', { visits: [] })).toEqual({ sbp: null, dbp: null, n_visits: 0 });
  expect(call('bp_category', { bp: [] })).toEqual([]);
  expect(call('bp_must_act', { bp: null })).toEqual([]);
  expect(call('bp_line_probability', { sbp: 130 })).toBeNull();
  expect(call('prevent_total_cvd', { sex: 'male', age: 50 })).toBeNull();
});

describe('refuses what no patient can have', () => {
  it.each([
    ['hypertension_classification', { visits: [{ day: 0, readings: [[Number.NaN, 80]] }] }],
    ['hypertension_classification', { visits: [{ day: 0, readings: [[-120, 80]] }] }],
    ['hypertension_classification', { visits: [{ day: 0, readings: [120] }] }],
    ['hypertension_classification', { visits: 'none' }],
    ['hypertension_classification', { age: '50' }],
    ['hypertension_classification', { cuff: 'tight' }],
    ['bp_phenotype', { office: { sbp: Infinity, dbp: 80, n_visits: 2 } }],
    ['bp_phenotype', { on_treatment: 'no' }],
    ['antihypertensive_decision', { prevent_percent: -3 }],
    ['bp_control', { treatment_changed_day: 'monday' }],
    ['bp_line_probability', { sbp: 1, dbp: 1, se_sbp: -1, se_dbp: 1, line_sbp: 1, line_dbp: 1 }],
    ['bp_change', { before: 150, after: 140, n_before: 0, n_after: 2 }],
    ['regression_to_the_mean', { observed: 150, population_mean: 124, sd_between: 0, sd_within: 8, n: 1 }],
    [
      'prevent_total_cvd',
      { sex: 'male', age: 50, total_cholesterol_mg_dl: 200, hdl_mg_dl: 0, sbp: 130, egfr: 90 },
    ],
  ])('%s %j', (name, inputs) => {
    expect(() => call(name, inputs)).toThrow(expect.objectContaining({ code: 'ERR_CLINICAL_VALUE' }));
  });
  it('an unknown guideline', () => {
    expect(() => call('bp_category', { bp: [120, 80] }, { guideline: 'nice' })).toThrow(
      'acc_aha_2025, esc_2024',
    );
  });
});

it('computes PREVENT as published, for women and men, within its ages', () => {
  const woman = {
    sex: 'female',
    age: 50,
    total_cholesterol_mg_dl: 200,
    hdl_mg_dl: 45,
    sbp: 160,
    bp_treated: true,
    statin: false,
    diabetes: true,
    smoker: false,
    egfr: 90,
  };
  expect(call('prevent_total_cvd', woman)).toBeCloseTo(14.6839372165, 6);
  expect(call('prevent_total_cvd', { ...woman, sex: 'male' })).toBeGreaterThan(14.7);
  expect(call('prevent_total_cvd', { ...woman, age: 29 })).toBeNull();
  expect(call('prevent_total_cvd', { ...woman, age: 79 })).toBeGreaterThan(20);
  expect(call('prevent_total_cvd', { ...woman, egfr: 40 })).toBeGreaterThan(15);
});
