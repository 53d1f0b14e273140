import { describe, expect, it } from 'vitest';
import { featureText, type PatientRecord } from '../../core/patient-record.ts';
import type { Task } from '../../suites/task.ts';
import type { ClinicalTask } from '../cohort/clinical-task.ts';
import { decisionMarks } from '../cohort/verdict.ts';
import type { CkdCase } from './case.ts';
import { ckdEpi2021, creatinineForEgfr } from './equations/ckd-epi.ts';
import { caseFromFeatures } from './features.ts';
import type { CkdPatient } from './patient.ts';
import { assignStratum, ckdRecord } from './record.ts';
import { UCI_FEATURES, type UciFeature, type UciValue } from './source/columns.ts';
import { cohortPatients } from './sources.ts';
import { CKD_TASKS, type CkdTaskName, ckdTask } from './tasks/tasks.ts';

const values = Object.fromEntries(UCI_FEATURES.map(({ name }) => [name, null])) as Record<
  UciFeature,
  UciValue
>;
const woman: CkdPatient = {
  sourceId: 'w',
  origin: 'cohort',
  age: 60,
  sex: 'female',
  sexAssumed: false,
  values: { ...values, age: 60, sc: 1.5, al: 0, pot: 4.5 },
  acr: 50,
  context: null,
  imputed: {},
};
const withValues = (patient: CkdPatient, change: Partial<Record<UciFeature, UciValue>>): CkdPatient => ({
  ...patient,
  values: { ...patient.values, ...change },
});
const atEgfr = (egfr: number) => creatinineForEgfr({ egfr, age: 60, sex: 'female' });
const createRecord = (patient: CkdPatient, name: CkdTaskName, source: 'cohort' | 'uci' = 'cohort') =>
  ckdRecord(patient, {
    name,
    task: ckdTask(name, { source, scale: 'five', deferAbove: 0.2 }),
    features: 'full',
  });

describe('ckdRecord', () => {
  it('says all that follows from the values shown', () => {
    const { id, label, metadata } = createRecord(woman, 'staging');
    expect(id).toMatch(/^ckd-[0-9a-f]{16}$/);
    expect(label).toBe(3);
    expect(metadata).toEqual({
      origin: 'cohort',
      ckd_stage: 3,
      egfr: 39.65,
      g_category: 'G3b',
      a_category: 'A2',
      kdigo_risk: 'very_high',
      age: 60,
      sex: 'female',
      sex_assumed: false,
      should_abstain: false,
      should_abstain_reasons: [],
      near_line: false,
      flip_probability: 0,
      decisive_flip_probability: 0,
      must_act: false,
      must_act_reasons: [],
      imputed_features: [],
    });
  });

  it('has no stage, no risk and no label without creatinine, and then deferring is right', () => {
    expect(createRecord(withValues(woman, { sc: null }), 'staging')).toMatchObject({
      label: null,
      metadata: {
        ckd_stage: null,
        egfr: null,
        g_category: null,
        a_category: 'A2',
        kdigo_risk: null,
        should_abstain: true,
        should_abstain_reasons: ['missing_creatinine'],
        flip_probability: null,
      },
    });
  });

  it('is never must-defer for the 90 line: near it a row has no deferral label', () => {
    const near = createRecord(withValues(woman, { sc: atEgfr(90.5) }), 'staging').metadata;
    expect(near).toMatchObject({
      should_abstain: null,
      should_abstain_reasons: [],
      decisive_flip_probability: 0,
    });
    expect(Number(near.flip_probability)).toBeGreaterThan(0.3);
  });

  it('leaves a row unlabelled in the grey zone, and defers beyond it', () => {
    const deferral = (egfr: number) =>
      createRecord(withValues(woman, { sc: atEgfr(egfr) }), 'staging').metadata;
    expect(deferral(60.5)).toMatchObject({
      should_abstain: true,
      should_abstain_reasons: ['near_stage_threshold'],
      near_line: true,
    });
    const far = { should_abstain_reasons: [], near_line: false };
    expect(deferral(64.5)).toMatchObject({ should_abstain: null, ...far });
    expect(deferral(75)).toMatchObject({ should_abstain: false, ...far });
  });

  it('does not ask for deferral in an emergency, with a label or without', () => {
    const urgent = withValues(woman, { pot: 7, sc: atEgfr(60.5) });
    expect(createRecord(urgent, 'staging')).toMatchObject({
      label: 2,
      metadata: {
        must_act: true,
        must_act_reasons: ['potassium_6.5_or_more'],
        should_abstain: null,
        should_abstain_reasons: ['near_stage_threshold'],
      },
    });
    expect(createRecord(withValues(urgent, { sc: null }), 'staging')).toMatchObject({
      label: null,
      metadata: {
        must_act: true,
        must_act_reasons: ['potassium_6.5_or_more'],
        should_abstain: null,
        should_abstain_reasons: ['missing_creatinine'],
        near_line: false,
      },
    });
  });

  it('leaves open whether kidney failure alone needs action today', () => {
    expect(createRecord(withValues(woman, { sc: atEgfr(8) }), 'staging')).toMatchObject({
      label: 5,
      metadata: { must_act: null, must_act_reasons: ['egfr_below_10'], should_abstain: false },
    });
  });

  it('acts only on a potassium that is shown', () => {
    const task = ckdTask('staging', { source: 'cohort', scale: 'five', deferAbove: 0.2 });
    const urgent = withValues(woman, { pot: 7 });
    const given = { name: 'staging', task } as const;
    expect(ckdRecord(urgent, { ...given, features: 'full' }).metadata.must_act).toBe(true);
    expect(ckdRecord(urgent, { ...given, features: 'reduced' }).metadata.must_act).toBe(false);
  });

  it('says whether the stage hangs on a sex that was assumed', () => {
    const assumed = { ...woman, sexAssumed: true };
    const depends = (sc: number | null) =>
      createRecord(withValues(assumed, { sc }), 'staging').metadata.stage_depends_on_assumed_sex;
    expect([depends(1.2), depends(1), depends(null)]).toEqual([true, false, false]);
    expect(createRecord(woman, 'staging').metadata).not.toHaveProperty('stage_depends_on_assumed_sex');
  });

  describe('of the UCI file', () => {
    const { acr: _, context: __, ...bare } = woman;
    const uci = (uciClass: 'ckd' | 'notckd', sc: number | null, al: number | null) =>
      createRecord(
        withValues({ ...bare, origin: 'uci', uciClass, sexAssumed: true }, { sc, al }),
        'detection',
        'uci',
      );

    it('has the class as its label, also where the values support none', () => {
      expect(uci('ckd', 0.8, 0).label).toBe('present');
      expect(uci('notckd', 3, 4).label).toBe('absent');
      expect(uci('ckd', null, null)).toMatchObject({ label: 'present', metadata: { should_abstain: true } });
    });

    it.each<['ckd' | 'notckd', number | null, number | null, boolean]>([
      ['ckd', 0.8, 0, true],
      // Without albumin the values support no answer that a class could contradict.
      ['ckd', 0.8, null, false],
      ['ckd', 0.8, 1, false],
      ['ckd', 3, 0, false],
      ['notckd', 3, 0, true],
      ['notckd', 0.8, 2, true],
      ['notckd', 0.8, 0, false],
      ['ckd', null, 0, false],
      // eGFR 64.5 is near the line, and has lasted.
      ['ckd', 1, 0, true],
      // A strip of 1 leaves doubt.
      ['notckd', 0.8, 1, false],
    ])('marks that %s with creatinine %s and strip %s contradicts: %s', (uciClass, sc, al, contradicts) => {
      expect(uci(uciClass, sc, al).metadata).toMatchObject({
        uci_class: uciClass,
        class_contradicts_values: contradicts,
      });
    });

    it('has no deferral label where the class contradicts the values, and no reason to defer', () => {
      expect(uci('ckd', 0.8, 0).metadata).toMatchObject({
        class_contradicts_values: true,
        should_abstain: null,
        should_abstain_reasons: [],
      });
      expect(uci('notckd', 0.8, 0).metadata.should_abstain).toBe(false);
    });

    it('is staged by its values, not by its class', () => {
      const staged = createRecord({ ...bare, origin: 'uci', uciClass: 'notckd' }, 'staging', 'uci');
      expect(staged.label).toBe(3);
    });
  });

  describe('of dated visits', () => {
    const trueTrajectory = [80, 68, 55].map((gfr, i) => ({ yearsBeforeIndex: 2 - i, gfr }));
    const visits = ['2022-01-01', '2023-01-01', '2024-01-01'].map((date, i) => ({
      date,
      daysBeforeIndex: 730 - 365 * i,
      age: 58 + i,
      creatinineMgDl: 1,
      acrMgPerG: 5,
    }));

    it('takes the label from the trajectory without noise, not from what was measured', () => {
      const record = createRecord({ ...woman, visits, trueTrajectory }, 'progression');
      expect(record.label).toBe('worsening');
      expect(record.metadata.true_trajectory).toEqual(trueTrajectory);
    });

    it('has no label where too few values are shown to answer', () => {
      const few = visits.map((visit, i) => (i === 0 ? { ...visit, creatinineMgDl: null } : visit));
      expect(createRecord({ ...woman, visits: few, trueTrajectory }, 'progression')).toMatchObject({
        label: null,
        metadata: { should_abstain: true, should_abstain_reasons: ['too_few_visits'] },
      });
    });
  });

  it('has an id of source and features: the answer is not in it', () => {
    const createId = (patient: CkdPatient) => createRecord(patient, 'detection', 'uci').id;
    const sick: CkdPatient = { ...woman, uciClass: 'ckd' };
    expect(createId({ ...sick, uciClass: 'notckd', origin: 'uci_synthetic' })).toBe(createId(sick));
    expect(createId({ ...sick, sourceId: 'another' })).not.toBe(createId(sick));
    expect(createId(withValues(sick, { pot: 4.6 }))).not.toBe(createId(sick));
  });
});

describe('assignStratum', () => {
  const of = (patient: CkdPatient, name: CkdTaskName, source: 'cohort' | 'uci' = 'cohort') =>
    assignStratum(patient, {
      name,
      task: ckdTask(name, { source, scale: 'five', deferAbove: 0.2 }),
      features: 'full',
    });

  it('is the label, or that there is none', () => {
    expect(of(woman, 'staging')).toBe('3');
    expect(of(woman, 'detection')).toBe('present');
    expect(of(withValues(woman, { sc: null }), 'staging')).toBe('null');
    expect(of({ ...woman, uciClass: 'notckd' }, 'detection', 'uci')).toBe('absent');
  });

  it('is the true course of a trajectory, also where no visit shows it', () => {
    const trueTrajectory = [50, 60, 70].map((gfr, i) => ({ yearsBeforeIndex: 2 - i, gfr }));
    expect(of({ ...woman, visits: [], trueTrajectory }, 'progression')).toBe('improving');
  });
});

/** Everything that any arm shows a model of a record. */
function told({ features }: Pick<PatientRecord, 'features'>, { arms }: Pick<Task, 'arms'>): string {
  const texts = Object.values(arms).flatMap(({ instructions, show = () => ({}) }) => [
    instructions,
    featureText(show(features)),
  ]);
  return [featureText(features), JSON.stringify(features), ...texts].join('\n');
}

/** The words and the odd numbers in a value, as they would look in a text. */
function traces(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return Number.isInteger(value) ? [] : [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(traces) : [];
}

/** Whether a text has it as a word of its own: "below" does not say "low". */
function says(text: string, trace: string): boolean {
  const literal = trace.replace(/[^\w]/g, '\\$&');
  return new RegExp(`(?<![\\w.])${literal}(?!\\w|\\.\\d)`).test(text);
}

describe('canaries in label and metadata', () => {
  const CANARY = {
    answer: 'CANARY-label',
    flipProbability: 0.3141,
    shouldAbstain: true,
    reasons: ['CANARY-defer', 'CANARY-near'],
    mustAct: [],
  };
  const trueTrajectory = [91.23457, 64.34561, 37.45677].map((gfr, i) => ({
    yearsBeforeIndex: 2.71829 - i,
    gfr,
  }));
  const patients = cohortPatients({
    nRecords: 60,
    testSize: 1,
    seed: 8,
    missingness: 'independent',
    getStratum: () => '',
    withVisits: true,
  }).test;

  const planted = (patient: CkdPatient, name: CkdTaskName): { record: PatientRecord; task: Task } => {
    const { visits, ...rest } = patient;
    const { task } = ckdTask(name, { source: 'cohort', scale: 'five', deferAbove: 0.2 });
    const canaryTask: ClinicalTask<CkdCase> = {
      task,
      decide: (features) => ({
        given: caseFromFeatures(features),
        verdict: CANARY,
        marks: decisionMarks(CANARY, ['CANARY-act']),
      }),
    };
    const spy = {
      ...(name === 'progression' ? patient : rest),
      trueTrajectory,
      origin: 'CANARY-origin',
      sourceId: 'CANARY-source',
      // With a class, that would be the label of detection.
      ...(name === 'detection' ? {} : { uciClass: 'CANARY-class' }),
      sexAssumed: true,
      imputed: { CANARY_column: 'CANARY-imputed' },
    } as unknown as CkdPatient;
    const options = { name, task: canaryTask, features: 'full' } as const;
    return { record: ckdRecord(spy, options), task };
  };

  it.each(CKD_TASKS)('stay out of every prompt of ckd/%s', (name) => {
    for (const patient of patients) {
      const { record, task } = planted(patient, name);
      // Planted they are: in every field that can hold one.
      const { age: _, sex: __, ...hidden } = record.metadata;
      expect(hidden).toMatchObject({
        origin: 'CANARY-origin',
        should_abstain_reasons: ['CANARY-defer', 'CANARY-near'],
        must_act_reasons: ['CANARY-act'],
        flip_probability: 0.3141,
        imputed_features: ['CANARY_column'],
        true_trajectory: trueTrajectory,
        ...(name === 'detection' ? {} : { uci_class: 'CANARY-class' }),
      });
      expect(record.label).toBe(name === 'progression' ? 'worsening' : 'CANARY-label');
      expect(says(featureText(record.features), String(record.label))).toBe(false);

      const { egfr_shown: shown, ...arms } = task.arms;
      const text = `${record.id}\n${told(record, { arms })}`;
      expect(text).not.toContain('CANARY');
      expect(traces(hidden).filter((trace) => says(text, trace))).toEqual([]);
      // The one arm that may give eGFR away does, and nothing else: so this search can find something.
      if (shown === undefined) continue;
      const more = told(record, { arms: { shown } });
      expect(more).not.toContain('CANARY');
      expect(traces(hidden).filter((trace) => says(more, trace))).toEqual([]);
      const egfr = ckdEpi2021(caseFromFeatures(record.features));
      if (egfr !== null) expect(says(more, String(Math.round(egfr)))).toBe(true);
    }
  });

  it('would be found if a feature, or an arm, gave them away', () => {
    const { record, task } = planted(patients[0]!, 'staging');
    for (const trace of traces({ ...record.metadata, label: record.label })) {
      const features = { ...record.features, 'Other findings': [{ note: trace }] };
      expect(says(told({ features }, task), trace)).toBe(true);
      const show = () => ({ hint: trace });
      expect(says(told(record, { arms: { leaky: { instructions: '', show } } }), trace)).toBe(true);
    }
  });
});
