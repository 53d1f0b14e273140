import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasContextLine } from '../cohort/fields.ts';
import { type CkdCase, CONTEXTS } from './case.ts';
import { generateCohort } from './cohort/generate-cohort.ts';
import { caseFromFeatures, FEATURE_SETS, type FeatureSet, featureName, showFeatures } from './features.ts';
import type { CkdPatient } from './patient.ts';
import { UCI_FEATURES, type UciFeature, type UciValue, uciColumn } from './source/columns.ts';
import { cohortPatients } from './sources.ts';

const values = {
  ...(Object.fromEntries(UCI_FEATURES.map(({ name }) => [name, null])) as Record<UciFeature, UciValue>),
  age: 61,
  sc: 1.4,
  al: 2,
  pot: 4.4,
  pcc: 'notpresent',
  hemo: 11.2,
};
const patient: CkdPatient = {
  sourceId: 'p',
  origin: 'uci',
  age: 61,
  sex: 'female',
  sexAssumed: false,
  values,
  imputed: {},
};

describe('FEATURE_SETS', () => {
  it('is the whole schema but age, and the twelve of the reduced set', () => {
    expect(FEATURE_SETS.full).toHaveLength(23);
    expect(FEATURE_SETS.reduced).toEqual([
      ...['htn', 'dm', 'sg', 'hemo', 'pcv', 'rbcc', 'rbc', 'pc', 'al', 'bgr', 'sc', 'bu'],
    ]);
  });
});

describe('featureName', () => {
  it('is readable, with the unit where there is one', () => {
    expect(featureName(uciColumn('sc'))).toBe('Serum creatinine (mg/dL)');
    expect(featureName(uciColumn('htn'))).toBe('Hypertension');
  });
});

describe('showFeatures', () => {
  it('shows age and sex first, then the set, and null where nothing was measured', () => {
    const features = showFeatures(patient, 'reduced');
    expect(Object.keys(features)).toEqual([
      'Age (years)',
      'Sex',
      ...FEATURE_SETS.reduced.map((name) => featureName(uciColumn(name))),
    ]);
    expect(features).toMatchObject({ 'Age (years)': 61, Sex: 'female', Hypertension: null });
  });

  it('writes "not present", and marks what was imputed', () => {
    const features = showFeatures({ ...patient, imputed: { htn: 'yes', pcv: 40, ba: 'notpresent' } }, 'full');
    expect(features).toMatchObject({
      'Urine pus cell clumps': 'not present',
      Hypertension: 'yes (imputed, not measured)',
      'Packed cell volume (%)': '40 (imputed, not measured)',
      'Urine bacteria': 'not present (imputed, not measured)',
      'Haemoglobin (g/dL)': 11.2,
    });
  });

  it('has ACR and context only where the source has them', () => {
    const names = Object.keys(showFeatures(patient, 'full')).join();
    expect(names).not.toMatch(/ratio|context|Visits/);
    expect(showFeatures({ ...patient, acr: null, context: null }, 'full')).toMatchObject({
      'Urine albumin-creatinine ratio (mg/g)': null,
      'Clinical context': 'nothing special recorded',
    });
  });

  it('shows a remark where there is no context that matters, and reads it back as none', () => {
    const shown = showFeatures({ ...patient, context: null, remark: 'hay fever every spring' }, 'full');
    expect(shown).toMatchObject({ 'Clinical context': 'hay fever every spring' });
    expect(hasContextLine(shown)).toBe(true);
    expect(caseFromFeatures(shown).context).toBeNull();
    expect(hasContextLine(showFeatures({ ...patient, context: null, remark: null }, 'full'))).toBe(false);
    expect(hasContextLine(showFeatures(patient, 'full'))).toBe(false);
  });

  it('calls the blood pressure diastolic', () => {
    expect(Object.keys(showFeatures(patient, 'full'))).toContain('Diastolic blood pressure (mmHg)');
  });

  it('dates creatinine and ACR where there are visits, and shows them nowhere else', () => {
    const visits = [
      { date: '2023-03-01', daysBeforeIndex: 366, age: 60, creatinineMgDl: 1.1, acrMgPerG: 12 },
      { date: '2024-03-01', daysBeforeIndex: 0, age: 61, creatinineMgDl: null, acrMgPerG: 20 },
    ];
    const features = showFeatures({ ...patient, acr: 20, context: 'dialysis', visits }, 'full');
    expect(features).toMatchObject({
      'Clinical context': 'on maintenance haemodialysis',
      Visits: [
        {
          date: '2023-03-01',
          'age (years)': 60,
          'serum creatinine (mg/dL)': 1.1,
          'urine albumin-creatinine ratio (mg/g)': 12,
        },
        {
          date: '2024-03-01',
          'age (years)': 61,
          'serum creatinine (mg/dL)': null,
          'urine albumin-creatinine ratio (mg/g)': 20,
        },
      ],
    });
    expect(features).not.toHaveProperty(['Serum creatinine (mg/dL)']);
    expect(features).not.toHaveProperty(['Urine albumin-creatinine ratio (mg/g)']);
  });
});

describe('caseFromFeatures', () => {
  const sets: FeatureSet[] = ['full', 'reduced'];

  it.each(sets.flatMap((set) => [false, true].map((withVisits) => [set, withVisits] as const)))(
    'reads back what the set %s shows (visits: %s)',
    (set, withVisits) => {
      fc.assert(
        fc.property(fc.nat(), (seed) => {
          const cohort = generateCohort({ n: 80, seed });
          const { test: patients } = cohortPatients({
            nRecords: 40,
            testSize: 1,
            seed,
            missingness: 'independent',
            getStratum: () => '',
            withVisits,
          });
          for (const patient of patients) {
            const source = cohort[Number(patient.sourceId.replace('cohort-', ''))]!;
            const expected: CkdCase = {
              age: source.age,
              sex: source.sex,
              creatinineMgDl: source.values.sc as number | null,
              acrMgPerG: source.acr,
              dipstick: source.values.al as number | null,
              urineRedCells: source.values.rbc === 'abnormal',
              potassium: set === 'full' ? (source.values.pot as number | null) : null,
              sodium: set === 'full' ? (source.values.sod as number | null) : null,
              haemoglobin: source.values.hemo as number | null,
              context: source.context,
              visits: withVisits
                ? source.visits.map(({ daysBeforeIndex, age, creatinineMgDl }) => ({
                    daysBefore: daysBeforeIndex,
                    age,
                    creatinineMgDl,
                  }))
                : [],
            };
            expect(caseFromFeatures(showFeatures(patient, set))).toEqual(expected);
          }
        }),
        { numRuns: 20 },
      );
    },
  );

  it('meets every context in those cohorts', () => {
    const seen = new Set(generateCohort({ n: 3000, seed: 1 }).map(({ context }) => context));
    expect([...seen].sort()).toEqual([...Object.keys(CONTEXTS), null].sort());
  });

  it('takes an imputed value for not measured', () => {
    const imputed = {
      ...patient,
      values: { ...values, al: null, pot: null },
      imputed: { al: 3, pot: 7, rbc: 'abnormal' },
    };
    expect(caseFromFeatures(showFeatures(imputed, 'full'))).toMatchObject({
      dipstick: null,
      potassium: null,
      urineRedCells: false,
    });
  });

  it('reads nothing out of nothing', () => {
    expect(caseFromFeatures({})).toEqual({
      age: null,
      sex: null,
      creatinineMgDl: null,
      acrMgPerG: null,
      dipstick: null,
      urineRedCells: false,
      potassium: null,
      sodium: null,
      haemoglobin: null,
      context: null,
      visits: [],
    });
  });
});
