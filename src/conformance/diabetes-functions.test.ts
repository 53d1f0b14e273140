import { describe, expect, it } from 'vitest';
import { DIABETES_FUNCTIONS } from './diabetes-functions.ts';

const call = (name: string, inputs: Record<string, unknown>, params = {}) =>
  DIABETES_FUNCTIONS[name]!(inputs, params);

describe('units', () => {
  it('converts either way, element by element, and keeps gaps', () => {
    expect(call('hba1c_units', { hba1c_mmol_mol: [48, null] })).toEqual([
      { percent: expect.closeTo(6.54304, 9), mmol_mol: 48 },
      null,
    ]);
    expect(call('glucose_units', { glucose_mmol_l: 7 })).toEqual({
      mg_dl: expect.closeTo(126.112, 9),
      mmol_l: 7,
    });
    expect(call('estimated_average_glucose', {})).toBeNull();
  });

  it('gives each unit its own lines', () => {
    expect(call('ada_glycaemia_category', { fpg_mmol_l: [5.5, 5.6, 6.9, 7] })).toEqual([
      'normal',
      'prediabetes',
      'prediabetes',
      'diabetes',
    ]);
    expect(call('ada_glycaemia_category', { hba1c_mmol_mol: 38, ogtt_2h_mmol_l: 11.1 })).toBe('diabetes');
  });
});

describe('variation', () => {
  it('has the published reference change of HbA1c', () => {
    const inputs = { cv_within_person: 0.017, cv_analytical: 0.02 };
    expect(call('reference_change_value', inputs)).toMatchObject({ symmetric: expect.closeTo(0.07276, 5) });
    expect(call('reference_change_value', { cv_within_person: 0.017 })).toBeNull();
  });

  it('averages repeated results, and takes no variation as certainty', () => {
    const inputs = { line: 6.5, cv_within_person: 0, cv_analytical: 0 };
    expect(call('chance_at_or_above', { ...inputs, values: [6.4, 6.8] })).toBe(1);
    expect(call('chance_at_or_above', { ...inputs, values: 6.4 })).toBe(0);
    expect(call('chance_at_or_above', { ...inputs, values: [] })).toBeNull();
  });
});

describe('crises', () => {
  it('leaves open what was not measured', () => {
    expect(call('hyperglycaemic_crisis', {})).toEqual({
      dka: null,
      dka_severity: null,
      hhs: null,
      effective_osmolality: null,
      suspected_dka: false,
    });
    const ketotic = { glucose_mg_dl: 310, known_diabetes: false, bohb_mmol_l: 3 };
    expect(call('hyperglycaemic_crisis', ketotic)).toMatchObject({ dka: null, suspected_dka: true });
    expect(call('hyperglycaemic_crisis', { ...ketotic, ph: 7.35 })).toMatchObject({ suspected_dka: true });
    expect(call('hyperglycaemic_crisis', { ...ketotic, ph: 7.35, bicarbonate_mmol_l: 20 })).toMatchObject({
      dka: false,
      suspected_dka: false,
    });
  });

  it('lets blood ketones decide over the strip', () => {
    const inputs = { glucose_mmol_l: 17, ph: 7.2, urine_ketones_plus: 3 };
    expect(call('hyperglycaemic_crisis', inputs)).toMatchObject({ dka: true, dka_severity: 'moderate' });
    expect(call('hyperglycaemic_crisis', { ...inputs, bohb_mmol_l: 1 })).toMatchObject({ dka: false });
  });

  it.each([
    [7.26, 16, 'mild'],
    [7.25, 16, 'moderate'],
    [7.26, 14, 'moderate'],
    [6.99, 16, 'severe'],
    [7.29, 9, 'severe'],
  ])('grades pH %f with bicarbonate %f as %s', (ph, bicarbonate_mmol_l, dka_severity) => {
    const inputs = { glucose_mg_dl: 400, bohb_mmol_l: 5, ph, bicarbonate_mmol_l };
    expect(call('hyperglycaemic_crisis', inputs)).toMatchObject({ dka: true, dka_severity });
  });

  it('lists what calls for action in a fixed order', () => {
    const inputs = {
      glucose_mg_dl: 50,
      known_diabetes: true,
      needs_assistance: true,
      bohb_mmol_l: 4,
      ph: 7.1,
    };
    expect(call('diabetes_must_act', inputs)).toEqual(['level_3_hypoglycaemia', 'diabetic_ketoacidosis']);
    expect(call('diabetes_must_act', {})).toEqual([]);
    expect(call('ada_hypoglycaemia_level', { glucose_mmol_l: [3.9, 3.8, 3, 2.9] })).toEqual([0, 1, 1, 2]);
  });
});

describe('values that no patient can have', () => {
  it.each<[string, Record<string, unknown>]>([
    ['diabetes_diagnosis', { results: [{ test: 'hba1c', value: 0, unit: '%' }] }],
    ['diabetes_diagnosis', { results: [{ test: 'hba1c', value: Number.NaN, unit: '%' }] }],
    ['diabetes_diagnosis', { results: [{ test: 'hba1c', value: 6, unit: 'mg/dL' }] }],
    ['diabetes_diagnosis', { results: [{ test: 'insulin', value: 6, unit: '%' }] }],
    ['diabetes_diagnosis', { results: [{ value: 6, unit: '%' }] }],
    ['diabetes_diagnosis', { results: 'none' }],
    ['diabetes_diagnosis', { context: 'tired' }],
    ['diabetes_diagnosis', { classic_symptoms: 'yes' }],
    ['diabetes_diagnosis', { acute: { ph: -7 } }],
    ['diabetes_control', { hba1c_percent: 7 }],
    ['diabetes_control', { goal_percent: 7, hba1c_percent: -1 }],
    ['diabetes_control', { goal_percent: 7, hba1c_percent: 7, hba1c_mmol_mol: 53 }],
    ['hba1c_trend', { visits: [{ hba1c_percent: 7 }] }],
    ['hba1c_trend', { visits: [7] }],
    ['chance_at_or_above', { values: -1, line: 6.5, cv_within_person: 0.1, cv_analytical: 0 }],
    ['reference_change_value', { cv_within_person: -0.1, cv_analytical: 0 }],
  ])('%s refuses %j', (name, inputs) => {
    expect(() => call(name, inputs)).toThrow(expect.objectContaining({ code: 'ERR_CLINICAL_VALUE' }));
  });

  it('takes absent, null and empty as not measured', () => {
    for (const inputs of [
      {},
      { results: null },
      { results: [] },
      { results: [null, { test: 'fpg', value: null }] },
    ])
      expect(call('diabetes_diagnosis', inputs)).toMatchObject({ answer: null, reasons: ['no_test'] });
    expect(call('hba1c_trend', {})).toMatchObject({
      answer: null,
      reasons: ['too_few_visits'],
      chances: null,
    });
    expect(call('diabetes_control', { goal_percent: 7, cgm: {} })).toMatchObject({
      reasons: ['missing_hba1c', 'cgm_insufficient'],
    });
  });
});
