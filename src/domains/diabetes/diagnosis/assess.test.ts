import { describe, expect, it } from 'vitest';
import type { AcuteValues } from '../acute.ts';
import { assessDiagnosis, type DiagnosisCase, type Result } from './assess.ts';

const hba1c = (value: number): Result => ({
  test: 'hba1c',
  value,
  unit: '%',
  fastingHours: null,
  meter: false,
});
const fpg = (value: number, fastingHours: number | null = 10): Result => ({
  test: 'fpg',
  value,
  unit: 'mg/dL',
  fastingHours,
  meter: false,
});
const ogtt = (value: number): Result => ({ ...fpg(value, null), test: 'ogtt_2h' });
const random = (value: number): Result => ({ ...fpg(value, null), test: 'random' });
const assess = (results: Result[], more: Partial<DiagnosisCase> = {}) =>
  assessDiagnosis({ results, context: null, classicSymptoms: false, acute: null, ...more });
const deferred = (...reasons: string[]) => ({
  answer: null,
  shouldAbstain: true,
  reasons,
  mustAct: [],
});

const KETOTIC: AcuteValues = {
  glucose: { value: 480, unit: 'mg/dL' },
  needsAssistance: null,
  knownDiabetes: false,
  bohb: 5,
  urineKetones: null,
  ph: 7.1,
  bicarbonate: 9,
  sodium: null,
  osmolality: null,
};

describe('what comes first', () => {
  it('a crisis, also in pregnancy and with normal results', () => {
    expect(assess([hba1c(5)], { acute: KETOTIC, context: 'pregnancy' })).toMatchObject({
      answer: 'diabetes',
      shouldAbstain: false,
      mustAct: ['diabetic_ketoacidosis'],
    });
  });

  it('pregnancy before symptoms, symptoms with 200 before everything else', () => {
    const symptoms = { classicSymptoms: true };
    expect(assess([random(268)], { ...symptoms, context: 'pregnancy' })).toMatchObject(deferred('pregnancy'));
    for (const result of [random(200), fpg(212, 3)])
      expect(assess([result, hba1c(5)], { ...symptoms, context: 'recent_transfusion' })).toMatchObject({
        answer: 'diabetes',
        flipProbability: 0,
        shouldAbstain: false,
      });
    expect(assess([{ ...random(268), meter: true }], symptoms)).toMatchObject(
      deferred('not_laboratory', 'random_glucose_only'),
    );
    expect(assess([random(199)], symptoms)).toMatchObject(deferred('random_glucose_only'));
    expect(assess([{ ...random(11.1), unit: 'mmol/L' }], symptoms).answer).toBe('diabetes');
  });
});

describe('confirmation', () => {
  it('is two results in the diabetes range, and then never must-defer for being close', () => {
    expect(assess([hba1c(6.5), hba1c(6.5)])).toMatchObject({
      answer: 'diabetes',
      shouldAbstain: null,
      reasons: [],
    });
    expect(assess([hba1c(7.4), hba1c(7.1), fpg(90)])).toMatchObject({
      answer: 'diabetes',
      shouldAbstain: false,
    });
  });

  it('is missing for one result, unless symptoms or a very high value leave it unlabelled', () => {
    expect(assess([hba1c(7)])).toMatchObject(deferred('unconfirmed_single_result'));
    expect(assess([hba1c(7), fpg(112)])).toMatchObject(deferred('discordant_results'));
    expect(assess([hba1c(7), fpg(90, 4)])).toMatchObject(deferred('unconfirmed_single_result'));
    const unlabelled = { answer: 'diabetes', shouldAbstain: null, flipProbability: null, reasons: [] };
    for (const result of [hba1c(9), fpg(200), ogtt(300), { ...hba1c(75), unit: 'mmol/mol' } as const])
      expect(assess([result])).toMatchObject(unlabelled);
    expect(assess([hba1c(7)], { classicSymptoms: true })).toMatchObject(unlabelled);
  });

  it('comes with a second concordant result', () => {
    expect(assess([hba1c(7.2)]).shouldAbstain).toBe(true);
    expect(assess([hba1c(7.2), fpg(150)])).toMatchObject({ answer: 'diabetes', shouldAbstain: false });
  });
});

describe('results that do not count', () => {
  it('names all that apply, in order', () => {
    expect(
      assess([hba1c(5), fpg(90, 4), { ...ogtt(90), meter: true }, random(90)], { context: 'haemolysis' }),
    ).toMatchObject(deferred('hba1c_not_valid', 'not_fasting', 'not_laboratory', 'random_glucose_only'));
    expect(assess([fpg(90), ogtt(100)], { context: 'glucocorticoids' })).toMatchObject(
      deferred('acute_illness_or_steroids'),
    );
    expect(assess([])).toMatchObject(deferred('no_test'));
  });

  it('lets glucose decide where HbA1c is not valid, and HbA1c with a trait', () => {
    expect(assess([hba1c(6.9), fpg(84), ogtt(98)], { context: 'recent_transfusion' })).toMatchObject({
      answer: 'normal',
      shouldAbstain: false,
    });
    expect(assess([hba1c(5.1)], { context: 'haemoglobin_trait' })).toMatchObject({
      answer: 'normal',
      shouldAbstain: false,
    });
    expect(assess([hba1c(5.1)], { context: 'recent_transfusion' })).toMatchObject(
      deferred('hba1c_not_valid'),
    );
  });

  it('believes two high HbA1c on steroids or a drug, and no low one', () => {
    for (const [context, reason] of [
      ['glucocorticoids', 'acute_illness_or_steroids'],
      ['glucose_lowering_drug', 'glucose_lowering_drug'],
    ] as const) {
      expect(assess([hba1c(7.4), hba1c(7.3)], { context }).answer).toBe('diabetes');
      expect(assess([hba1c(5.1)], { context })).toMatchObject(deferred(reason));
    }
  });

  it('believes HbA1c in acute illness, which days of illness leave as it was, and no glucose', () => {
    const context = 'acute_illness';
    expect(assess([hba1c(5.1)], { context })).toMatchObject({ answer: 'normal', shouldAbstain: false });
    expect(assess([hba1c(5.1), fpg(160)], { context }).answer).toBe('normal');
    expect(assess([fpg(88)], { context })).toMatchObject(deferred('acute_illness_or_steroids'));
  });
});

describe('below the diabetes range', () => {
  it('is prediabetes from one result of any test, and must-answer only far from both lines', () => {
    expect(assess([hba1c(6.1)])).toMatchObject({ answer: 'prediabetes', shouldAbstain: false });
    expect(assess([fpg(112)])).toMatchObject({ answer: 'prediabetes', shouldAbstain: false });
    for (let value = 140; value < 200; value++) expect(assess([ogtt(value)]).shouldAbstain).not.toBe(false);
    expect(assess([hba1c(5.2), fpg(88)])).toMatchObject({ answer: 'normal', shouldAbstain: false });
  });

  it('keeps its label near a line and must be deferred there', () => {
    expect(assess([hba1c(5.7)])).toMatchObject({
      answer: 'prediabetes',
      shouldAbstain: true,
      reasons: ['near_diagnostic_line'],
      flipProbability: expect.closeTo(0.5, 5),
    });
    expect(assess([hba1c(5.7)]).reasons).toEqual(assess([{ ...hba1c(39), unit: 'mmol/mol' }]).reasons);
  });

  it('has the bands of the description', () => {
    const zones = (make: (value: number) => Result, values: number[]) =>
      values.map((value) => assess([make(value)]).shouldAbstain);
    expect(zones(hba1c, [5.45, 5.47, 5.57, 5.59])).toEqual([false, null, null, true]);
    expect(zones(fpg, [91.4, 91.6, 95.5, 95.7])).toEqual([false, null, null, true]);
    expect(zones(ogtt, [111, 113, 124, 126])).toEqual([false, null, null, true]);
  });
});

it('takes the limit of deferring from the suite', () => {
  const given = { results: [hba1c(5.6)], context: null, classicSymptoms: false, acute: null };
  expect(assessDiagnosis(given, 0.4).shouldAbstain).toBeNull();
  expect(assessDiagnosis(given, 0.2).shouldAbstain).toBe(true);
});
