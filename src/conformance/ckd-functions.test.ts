import { describe, expect, it } from 'vitest';
import { KrisisError } from '../core/errors.ts';
import { CKD_FUNCTIONS } from './ckd-functions.ts';
import { DIABETES_FUNCTIONS } from './diabetes-functions.ts';
import { HYPERTENSION_FUNCTIONS } from './hypertension-functions.ts';

const FUNCTIONS = { ...CKD_FUNCTIONS, ...DIABETES_FUNCTIONS, ...HYPERTENSION_FUNCTIONS };

function call(name: string, inputs: Record<string, unknown>, params: Record<string, unknown> = {}): unknown {
  return FUNCTIONS[name]!(inputs, params);
}

describe('ckd_epi_2021', () => {
  it('takes either unit', () => {
    const mgDl = call('ckd_epi_2021', { creatinine_mg_dl: 2, age: 60, sex: 'male' });
    expect(call('ckd_epi_2021', { creatinine_umol_l: 176.8, age: 60, sex: 'M' })).toBeCloseTo(
      mgDl as number,
      9,
    );
  });

  it('is null when an input is missing, a list when one is a list', () => {
    expect(call('ckd_epi_2021', { age: 60, sex: 'male' })).toBeNull();
    expect(call('ckd_epi_2021', { creatinine_mg_dl: 2, age: 60 })).toBeNull();
    expect(call('ckd_epi_2021', { creatinine_mg_dl: 2, age: 60, sex: 'unknown' })).toBeNull();
    expect(call('ckd_epi_2021', { creatinine_mg_dl: 2, age: [17, 18], sex: 'male' })).toEqual([
      null,
      expect.any(Number),
    ]);
  });

  it('refuses both units at once', () => {
    const inputs = { creatinine_mg_dl: 2, creatinine_umol_l: 176.8, age: 60, sex: 'male' };
    expect(() => call('ckd_epi_2021', inputs)).toThrow(KrisisError);
  });
});

it('gives the whole risk map or one cell', () => {
  expect(call('kdigo_risk', { all: true })).toMatchObject({ G3b: { A2: 'very_high' } });
  expect(call('kdigo_risk', { g_category: 'G2', a_category: 'A2' })).toBe('moderate');
});

it('gives a scalar for a scalar and keeps gaps', () => {
  expect(call('kdigo_g_category', { egfr: 59.5 })).toBe('G3a');
  expect(call('kdigo_g_category', { egfr: [59.5, null] })).toEqual(['G3a', null]);
  expect(call('kdigo_a_category', { acr_mg_per_g: [29.9, 30, 300, 301] })).toEqual(['A1', 'A2', 'A2', 'A3']);
  expect(call('kdigo_a_category', { acr_mg_per_mmol: 3 })).toBe('A2');
  expect(call('kdigo_a_category', {})).toBeNull();
  expect(call('kdigo_five_stage', { g_category: 'G3b' })).toBe(3);
});

it('names the parts of a progression in snake_case', () => {
  expect(call('kdigo_progression', { egfr_baseline: 60, egfr_current: 45, years: 1 })).toEqual({
    category_drop: true,
    relative_decline: 0.25,
    certain_drop: true,
    annual_decline: 15,
    rapid_progression: true,
    exceeds_expected_variability: true,
  });
  expect(call('kdigo_progression', { egfr_baseline: 60, egfr_current: 45 })).toMatchObject({
    annual_decline: null,
    rapid_progression: null,
  });
  expect(call('kdigo_progression', { egfr_baseline: 60 })).toBeNull();
});

it('takes the variation from the parameters', () => {
  const inputs = { creatinine_mg_dl: 1, age: 60, sex: 'female' };
  const known = { cv_within_person: 0.05, cv_analytical: 0.011 };
  const flip = call('ckd_category_flip_probability', inputs, known) as { flip_probability: number };
  expect(flip.flip_probability).toBeCloseTo(0.11965745, 5);
  expect(call('ckd_category_flip_probability', inputs)).toEqual(flip);
  expect(call('ckd_category_flip_probability', { ...inputs, age: 5 })).toBeNull();
});

it('reads glycaemia', () => {
  expect(call('ada_glycaemia_category', { fpg_mg_dl: [99, 100, 126] })).toEqual([
    'normal',
    'prediabetes',
    'diabetes',
  ]);
  expect(call('ada_glycaemia_category', { hba1c_percent: 5, ogtt_2h_mg_dl: 150 })).toBe('prediabetes');
  expect(call('ada_glycaemia_category', {})).toBeNull();
  expect(call('ada_diabetes_confirmed', { hba1c_percent: 7, fpg_mg_dl: 130 })).toBe(true);
  expect(call('ada_diabetes_confirmed', { random_mg_dl: 220, classic_symptoms: true })).toBe(true);
  expect(call('ada_diabetes_confirmed', { random_mg_dl: [220], classic_symptoms: null })).toBe(false);
  expect(() => call('ada_diabetes_confirmed', { classic_symptoms: 'yes' })).toThrow(
    'expected true, false or null',
  );
});

it('reads one blood pressure or a list', () => {
  expect(call('acc_aha_2017_category', { bp: [129, 80] })).toBe('stage_1');
  expect(call('acc_aha_2017_category', { bp: [[119, 79], null, [118, 90]] })).toEqual([
    'normal',
    null,
    'stage_2',
  ]);
  expect(call('esc_2024_category', { bp: [[125, null]] })).toEqual([null]);
  expect(() => call('esc_2024_category', { bp: [120] })).toThrow(KrisisError);
  expect(() => call('esc_2024_category', { bp: '120/80' })).toThrow(KrisisError);
});

it('refuses an impossible value with a code', () => {
  expect(() => call('kdigo_g_category', { egfr: -1 })).toThrow(
    expect.objectContaining({ code: 'ERR_CLINICAL_VALUE' }),
  );
});
