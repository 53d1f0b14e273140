import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { KrisisError } from '../../../core/errors.ts';
import { roundToStep } from '../../cohort/distributions.ts';
import { ckdEpi2021 } from '../equations/ckd-epi.ts';
import { UCI_EXTRAS, UCI_FEATURES, uciColumn } from '../source/columns.ts';
import { generateCohort } from './generate-cohort.ts';
import { trueCourse } from './true-course.ts';

const cohort = generateCohort({ n: 5000, seed: 42 });

describe('generateCohort', () => {
  it('gives the same patients for the same seed, whatever the size', () => {
    expect(generateCohort({ n: 200, seed: 42 })).toEqual(cohort.slice(0, 200));
    expect(generateCohort({ n: 1, seed: 42 })).toEqual(cohort.slice(0, 1));
    expect(generateCohort({ n: 200, seed: 43 })).not.toEqual(cohort.slice(0, 200));
  });

  it('gives these very patients on every machine', () => {
    // Changes with every change of an assumption, and then on purpose: every suite hash changes with it.
    const hash = createHash('sha256')
      .update(JSON.stringify(cohort.slice(0, 1000)))
      .digest('hex');
    expect(hash).toBe('a63a2a86eb1baf594a2e6848734d9f4299a9d9dcb6ba38c7e0c9ddae562a6fe5');
  });

  it('changes nothing but missing cells between the arms', () => {
    const informative = generateCohort({ n: 500, seed: 42, missingness: 'informative' });
    informative.forEach((patient, i) => {
      const other = cohort[i]!;
      expect(patient.truth).toEqual(other.truth);
      for (const { name } of UCI_FEATURES) {
        const both = patient.values[name] !== null && other.values[name] !== null;
        if (both) expect(patient.values[name]).toBe(other.values[name]);
      }
    });
  });

  it('shows only possible values, in the words and levels of the schema', () => {
    const acrRange = UCI_EXTRAS.find(({ name }) => name === 'acr') as { range: readonly [number, number] };
    for (const { values, acr, visits } of cohort) {
      expect(Object.keys(values)).toEqual(UCI_FEATURES.map(({ name }) => name));
      for (const { name } of UCI_FEATURES) {
        const column = uciColumn(name);
        const value = values[name];
        if (value === null) continue;
        const possible =
          column.kind === 'numeric'
            ? (value as number) >= column.range[0] && (value as number) <= column.range[1]
            : (column.allowed as readonly unknown[]).includes(value);
        expect(possible, `${name} ${value}`).toBe(true);
      }
      for (const shown of [acr, ...visits.map((visit) => visit.acrMgPerG)]) {
        if (shown !== null) expect(shown >= 0 && shown <= acrRange.range[1]).toBe(true);
      }
      for (const { creatinineMgDl } of visits) {
        if (creatinineMgDl !== null) expect(creatinineMgDl >= 0.15 && creatinineMgDl <= 30).toBe(true);
      }
    }
  });

  it('prints short numbers', () => {
    const longest = JSON.stringify(cohort).match(/\d+\.\d{5,}/g);
    expect(longest).toBeNull();
    for (const { values } of cohort) {
      expect(values.sc).toBe(values.sc === null ? null : roundToStep(values.sc as number, 0.01));
    }
  });

  it('keeps the truth consistent with itself and with what is shown', () => {
    let missed = 0;
    let measured = 0;
    for (const { truth, visits, values, acr, age, sex } of cohort) {
      expect(truth.course).toBe(trueCourse(truth.trajectory));
      expect(truth.trajectory.at(-1)).toEqual({ yearsBeforeIndex: 0, gfr: truth.gfr });
      expect(truth.ckd).toBe(truth.gfr < 60 || truth.acr >= 30);
      if (age >= 18) {
        expect(
          Math.abs(ckdEpi2021({ creatinineMgDl: truth.creatinineMgDl, age, sex })! / truth.gfr - 1),
        ).toBeLessThan(0.001);
      }
      expect(visits).toHaveLength(truth.trajectory.length);
      expect(visits.at(-1)).toMatchObject({ daysBeforeIndex: 0, creatinineMgDl: values.sc, acrMgPerG: acr });
      for (const visit of visits.slice(0, -1)) {
        if (visit.creatinineMgDl === null) missed += 1;
        else measured += 1;
      }
      expect(values.age).toBe(age);
      expect(visits.at(-1)!.age).toBe(age);
    }
    expect(missed / (missed + measured)).toBeCloseTo(0.18, 2);
  });

  it('refuses a size that is none, and an arm that is none', () => {
    for (const n of [0, -1, 1.5, Number.NaN, 100_001]) {
      expect(() => generateCohort({ n, seed: 1 })).toThrow(KrisisError);
    }
    expect(() => generateCohort({ n: 1, seed: 1.5 })).toThrow(KrisisError);
    const missingness = 'none' as 'independent';
    expect(() => generateCohort({ n: 1, seed: 1, missingness })).toThrow(KrisisError);
  });
});
