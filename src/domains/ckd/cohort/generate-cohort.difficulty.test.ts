import { describe, expect, it } from 'vitest';
import { ckdEpi2021 } from '../equations/ckd-epi.ts';
import { aCategoryFromMgPerG, gCategory, isCkd } from '../equations/kdigo.ts';
import type { CohortPatient } from '../patient.ts';
import type { UciFeature } from '../source/columns.ts';
import { generateCohort } from './generate-cohort.ts';

// Detection must not be a look-up: on the source's own rows, the eleven clauses below are right in 400 of 400.

interface Labelled {
  readonly values: CohortPatient['values'];
  readonly egfr: number;
  readonly acr: number;
  readonly ckd: boolean;
}

const labelled = generateCohort({ n: 5000, seed: 42 }).flatMap((patient): Labelled[] => {
  const { values, acr, age, sex } = patient;
  const egfr = ckdEpi2021({ creatinineMgDl: values.sc as number | null, age, sex });
  if (egfr === null || acr === null || patient.context !== null) return [];
  return [{ values, egfr, acr, ckd: isCkd(gCategory(egfr), aCategoryFromMgPerG(acr))! }];
});

type Rule = (row: Labelled) => boolean;
const accuracy = (rule: Rule) => labelled.filter((row) => rule(row) === row.ckd).length / labelled.length;
const over =
  (column: UciFeature, edge: number): Rule =>
  ({ values }) =>
    values[column] !== null && (values[column] as number) > edge;
const under =
  (column: UciFeature, edge: number): Rule =>
  ({ values }) =>
    values[column] !== null && (values[column] as number) < edge;
const is =
  (column: UciFeature, word: string): Rule =>
  ({ values }) =>
    values[column] === word;

const ELEVEN_CLAUSES: Record<string, Rule> = {
  albumin: over('al', 0),
  sugar: over('su', 0),
  gravity: under('sg', 1.02),
  hypertension: is('htn', 'yes'),
  diabetes: is('dm', 'yes'),
  haemoglobin: under('hemo', 13),
  creatinine: over('sc', 1.2),
  oedema: is('pe', 'yes'),
  appetite: is('appet', 'poor'),
  anaemia: is('ane', 'yes'),
  glucose: over('bgr', 140),
};

describe('detection on the cohort', () => {
  it('has both classes', () => {
    const ckd = labelled.filter((row) => row.ckd).length / labelled.length;
    expect(Math.abs(ckd - 0.5)).toBeLessThan(0.03);
  });

  it('is not solved by "anything abnormal"', () => {
    const rules = Object.values(ELEVEN_CLAUSES);
    expect(accuracy((row) => rules.some((rule) => rule(row)))).toBeLessThan(0.75);
    for (let atLeast = 2; atLeast <= 6; atLeast++) {
      expect(accuracy((row) => rules.filter((rule) => rule(row)).length >= atLeast)).toBeLessThan(0.88);
    }
  });

  it.each(Object.entries(ELEVEN_CLAUSES))('is not solved by %s alone', (_, rule) => {
    expect(accuracy(rule)).toBeLessThan(0.85);
  });

  it('needs both parts of the definition', () => {
    expect(accuracy(({ egfr }) => egfr < 60)).toBeLessThan(0.88);
    expect(accuracy(({ acr }) => acr >= 30)).toBeLessThan(0.88);
  });

  it('is not solved by the best threshold of any column', () => {
    for (const column of [
      'age',
      'bp',
      'sg',
      'al',
      'su',
      'bgr',
      'bu',
      'sc',
      'sod',
      'pot',
      'hemo',
      'pcv',
      'wbcc',
      'rbcc',
    ] as const) {
      const edges = new Set(
        labelled.map(({ values }) => values[column] as number).filter((value) => value !== null),
      );
      for (const edge of edges) {
        const right = accuracy(over(column, edge));
        expect(Math.max(right, 1 - right)).toBeLessThan(0.87);
      }
    }
  });
});
