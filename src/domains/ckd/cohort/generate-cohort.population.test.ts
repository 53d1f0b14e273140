import { describe, expect, it } from 'vitest';
import { ckdEpi2021 } from '../equations/ckd-epi.ts';
import { gCategory } from '../equations/kdigo.ts';
import type { CohortPatient } from '../patient.ts';
import type { UciFeature } from '../source/columns.ts';
import { generateCohort } from './generate-cohort.ts';
import { GROUPS } from './groups.ts';
import { missingRate } from './missingness.ts';

// What the whole cohort looks like.
const cohort = generateCohort({ n: 5000, seed: 42 });
const inCkd = cohort.filter(({ group }) => group === 'ckd');
const controls = cohort.filter(({ group }) => group !== 'ckd');
const usable = cohort.filter(({ age, context }) => age >= 18 && context === null);

const share = (of: (patient: CohortPatient) => boolean, among = cohort) =>
  among.filter(of).length / among.length;

function pairs(a: UciFeature, b: UciFeature, among: CohortPatient[]) {
  const both = among.filter(({ values }) => values[a] !== null && values[b] !== null);
  return [
    both.map(({ values }) => values[a] as number),
    both.map(({ values }) => values[b] as number),
  ] as const;
}

function pearson([xs, ys]: readonly [number[], number[]]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(xs), mean(ys)];
  const product = (f: (i: number) => number) => xs.reduce((sum, _, i) => sum + f(i), 0);
  const xy = product((i) => (xs[i]! - x) * (ys[i]! - y));
  return xy / Math.sqrt(product((i) => (xs[i]! - x) ** 2) * product((i) => (ys[i]! - y) ** 2));
}

function ranks(values: number[]): number[] {
  const sorted = values.toSorted((a, b) => a - b);
  const rank = new Map<number, number>();
  sorted.forEach((value, i) => {
    rank.set(value, (sorted.indexOf(value) + i) / 2);
  });
  return values.map((value) => rank.get(value)!);
}
const spearman = ([xs, ys]: readonly [number[], number[]]) => pearson([ranks(xs), ranks(ys)]);

describe('the cohort', () => {
  it('is half women, in every group', () => {
    expect(Math.abs(share(({ sex }) => sex === 'female') - 0.5)).toBeLessThan(0.02);
    for (const group of GROUPS) {
      const of = cohort.filter((patient) => patient.group === group);
      expect(Math.abs(share(({ sex }) => sex === 'female', of) - 0.5)).toBeLessThan(0.09);
    }
  });

  it('is half CKD, with all categories', () => {
    expect(Math.abs(share(({ truth }) => truth.ckd) - 0.5)).toBeLessThan(0.03);
    for (const category of ['G1', 'G2', 'G3a', 'G3b', 'G4', 'G5']) {
      expect(share(({ truth }) => gCategory(truth.gfr) === category, inCkd)).toBeGreaterThan(0.08);
    }
    expect(share(({ truth }) => truth.gfr >= 60, inCkd)).toBeGreaterThan(0.2);
  });

  it('has blood that hangs together, in health too', () => {
    for (const among of [inCkd, controls, cohort.filter(({ group }) => group === 'healthy')]) {
      expect(pearson(pairs('hemo', 'pcv', among))).toBeGreaterThan(0.85);
    }
    expect(spearman(pairs('bu', 'sc', inCkd))).toBeGreaterThan(0.6);
    expect(spearman(pairs('bu', 'sc', controls))).toBeGreaterThan(0.2);
  });

  it('has a dipstick that goes with the ACR', () => {
    const both = cohort.filter(({ acr, values }) => acr !== null && values.al !== null);
    const rho = spearman([both.map(({ acr }) => acr!), both.map(({ values }) => values.al as number)]);
    expect(rho).toBeGreaterThan(0.7);
  });

  it('has the published missing rates, with and without CKD alike', () => {
    for (const column of ['sc', 'bu', 'sod', 'hemo', 'rbc', 'wbcc', 'sg', 'bgr'] as const) {
      const rate = missingRate(column, 'independent');
      for (const among of [inCkd, controls]) {
        expect(Math.abs(share(({ values }) => values[column] === null, among) - rate)).toBeLessThan(0.03);
      }
    }
    expect(share(({ acr }) => acr === null)).toBeLessThan(0.2);
    expect(share(({ values }) => values.sc === null)).toBeLessThan(0.05);
  });

  it('gives the class away by missing cells in the informative arm only', () => {
    const missing = ({ values }: CohortPatient) =>
      Object.values(values).filter((value) => value === null).length;
    const meanMissing = (among: CohortPatient[]) =>
      among.reduce((sum, patient) => sum + missing(patient), 0) / among.length;
    expect(Math.abs(meanMissing(inCkd) - meanMissing(controls))).toBeLessThan(0.2);
    const informative = generateCohort({ n: 2000, seed: 42, missingness: 'informative' });
    const gap =
      meanMissing(informative.filter(({ group }) => group === 'ckd')) -
      meanMissing(informative.filter(({ group }) => group !== 'ckd'));
    expect(gap).toBeGreaterThan(2);
  });

  it('has every course often enough, and many changes inside the reference change value', () => {
    const courses = (['stable', 'worsening', 'improving', null] as const).map((course) =>
      share(({ truth }) => truth.course === course, usable),
    );
    const [stable, worsening, improving, between] = courses as [number, number, number, number];
    expect(Math.min(stable, worsening)).toBeGreaterThan(0.3);
    // Chronic disease rarely improves.
    expect(improving).toBeGreaterThan(0.1);
    expect(improving / (1 - between)).toBeLessThan(0.15);
    expect(between).toBeLessThan(0.05);
    const change = ({ visits, sex }: CohortPatient) => {
      const [first, last] = [visits[0]!, visits.at(-1)!].map(({ creatinineMgDl, age }) =>
        ckdEpi2021({ creatinineMgDl, age, sex }),
      );
      return Math.abs(last! / first! - 1);
    };
    const measured = usable.filter(
      ({ values, visits }) =>
        values.sc !== null && visits[0]!.creatinineMgDl !== null && visits[0]!.age >= 18,
    );
    const small = share((patient) => change(patient) < 0.165, measured);
    expect(small).toBeGreaterThan(0.3);
    expect(small).toBeLessThan(0.6);
    const hidden = measured.filter(({ truth }) => truth.course !== 'stable');
    expect(share((patient) => change(patient) < 0.165, hidden)).toBeGreaterThan(0.1);
  });

  it.each<[string, (values: CohortPatient['values']) => boolean]>([
    ['a glucose of 200 without diabetes', ({ bgr, dm }) => Number(bgr) >= 200 && dm === 'no'],
    [
      'a haemoglobin below 10 without anaemia',
      ({ hemo, ane }) => hemo !== null && Number(hemo) < 10 && ane === 'no',
    ],
    ['a diastolic pressure of 100 without hypertension', ({ bp, htn }) => Number(bp) >= 100 && htn === 'no'],
    ['pus cell clumps with normal pus cells', ({ pcc, pc }) => pcc === 'present' && pc === 'normal'],
  ])('has history that agrees with findings: %s in fewer than 0.2 %%', (_, contradicts) => {
    expect(share(({ values }) => contradicts(values))).toBeLessThan(0.002);
  });

  it('has more albuminuria the lower GFR is in CKD, and more potassium the higher creatinine is below 45', () => {
    const adults = cohort.filter(({ truth, age, acr }) => truth.ckd && age >= 18 && acr !== null);
    const albuminuria = spearman([adults.map(({ acr }) => acr!), adults.map(({ truth }) => truth.gfr)]);
    expect(Math.abs(albuminuria + 0.25)).toBeLessThan(0.05);
    const low = usable.filter(({ truth }) => truth.gfr < 45);
    expect(Math.abs(spearman(pairs('pot', 'sc', low)) - 0.35)).toBeLessThan(0.06);
  });

  it('has the blood counts of the age and sex', () => {
    const haemoglobin = (of: (patient: CohortPatient) => boolean) =>
      cohort
        .filter((patient) => of(patient) && patient.group === 'healthy' && patient.values.hemo !== null)
        .map(({ values }) => values.hemo as number);
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const adult = (sex: string) => mean(haemoglobin((patient) => patient.sex === sex && patient.age >= 18));
    expect(adult('male') - adult('female')).toBeGreaterThan(1.3);
    expect(Math.max(...haemoglobin(({ age }) => age < 13))).toBeLessThan(15);
    expect(
      share(
        ({ values }) => values.dm === 'yes' && Number(values.bgr ?? 999) < 200,
        cohort.filter(({ age }) => age < 25),
      ),
    ).toBe(0);
  });

  it('has remarks that matter to nothing, more often than contexts that do', () => {
    expect(share(({ remark }) => remark !== null)).toBeGreaterThan(0.1);
    expect(share(({ remark, context }) => remark !== null && context !== null)).toBe(0);
  });

  it('has dangerous potassium, kidney failure and invalid populations, each rare', () => {
    const rare = [
      share(({ values }) => values.pot !== null && (values.pot as number) >= 6.5),
      share(({ age }) => age < 18),
      share(({ context }) => context === 'acuteKidneyInjury'),
      share(({ context }) => context === 'dialysis'),
      share(({ context }) => context === 'pregnant'),
    ];
    for (const rate of rare) {
      expect(rate).toBeGreaterThan(0.005);
      expect(rate).toBeLessThan(0.04);
    }
    expect(share(({ truth }) => truth.gfr < 15)).toBeGreaterThan(0.04);
    expect(usable.length / cohort.length).toBeGreaterThan(0.88);
  });

  it('draws ten thousand in about a second', () => {
    const start = performance.now();
    generateCohort({ n: 10_000, seed: 1 });
    // Generous: test machines are shared.
    expect(performance.now() - start).toBeLessThan(5000);
  });
});
