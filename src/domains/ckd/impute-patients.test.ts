import { describe, expect, it } from 'vitest';
import { imputePatients } from './ckd-suite.ts';
import { FEATURE_SETS } from './features.ts';
import type { CkdPatient } from './patient.ts';
import type { UciFeature } from './source/columns.ts';
import { cohortPatients } from './sources.ts';

const patients = cohortPatients({
  nRecords: 40,
  testSize: 0.25,
  seed: 5,
  missingness: 'independent',
  getStratum: () => '',
  withVisits: false,
});
const withoutAgeAndCreatinine: CkdPatient = {
  ...patients.test[0]!,
  age: null,
  values: { ...patients.test[0]!.values, age: null, sc: null, pot: null },
};
const given = { ...patients, test: [withoutAgeAndCreatinine, ...patients.test.slice(1)] };
const filled = imputePatients(given, FEATURE_SETS.full, 5);

describe('imputePatients', () => {
  it('fills every gap but creatinine and age, and touches no measurement', () => {
    filled.test.forEach((patient, i) => {
      const before = given.test[i]!;
      expect({ ...patient, imputed: {} }).toEqual(before);
      const gaps = FEATURE_SETS.full.filter((name) => before.values[name] === null && name !== 'sc');
      expect(Object.keys(patient.imputed).sort()).toEqual(gaps.toSorted());
    });
    expect(Object.keys(filled.test[0]!.imputed)).toContain('pot');
    expect(filled.test.some(({ values }) => values.sc === null)).toBe(true);
  });

  it('fills only with values that were measured in the training part', () => {
    for (const { imputed } of [...filled.test, ...filled.train]) {
      for (const [name, value] of Object.entries(imputed)) {
        const measured = given.train.map(({ values }) => values[name as UciFeature]);
        expect(value).not.toBeNull();
        expect(measured).toContain(value);
      }
    }
  });

  it('leaves columns alone that are not shown', () => {
    const { test } = imputePatients(given, FEATURE_SETS.reduced, 5);
    const names = new Set(test.flatMap(({ imputed }) => Object.keys(imputed)));
    expect([...names].filter((name) => !FEATURE_SETS.reduced.includes(name as never))).toEqual([]);
    expect(names.size).toBeGreaterThan(3);
  });

  it('learns nothing from the evaluation part: each patient is filled as if alone, the training part too', () => {
    const alone = imputePatients({ ...given, test: [given.test[0]!] }, FEATURE_SETS.full, 5);
    expect(alone.test).toEqual([filled.test[0]]);
    expect(alone.train).toEqual(filled.train);
  });

  it('sees no label: class and truth may be anything', () => {
    const turned = (people: readonly CkdPatient[]): CkdPatient[] =>
      people.map((patient, i) => ({
        ...patient,
        uciClass: i % 2 === 0 ? 'ckd' : 'notckd',
        sourceId: `x${i}`,
      }));
    const again = imputePatients(
      { ...given, test: turned(given.test), train: turned(given.train) },
      FEATURE_SETS.full,
      5,
    );
    expect(again.test.map(({ imputed }) => imputed)).toEqual(filled.test.map(({ imputed }) => imputed));
  });

  it('needs patients to learn from', () => {
    expect(() => imputePatients({ test: given.test, train: [], nTrain: 0 }, FEATURE_SETS.full, 5)).toThrow(
      'no training rows',
    );
  });
});
