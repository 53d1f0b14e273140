import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askingOrder } from '../../suites/split/asking-order.ts';
import { generateCohort } from './cohort/generate-cohort.ts';
import { trueCourse } from './cohort/true-course.ts';
import type { CkdPatient } from './patient.ts';
import { UCI_FEATURES } from './source/columns.ts';
import { checkMemory, cohortPatients, uciPatients } from './sources.ts';

const ids = (patients: readonly CkdPatient[]) => patients.map(({ sourceId }) => sourceId);

describe('cohortPatients', () => {
  const options = {
    nRecords: 30,
    testSize: 0.2,
    seed: 3,
    missingness: 'independent',
    getStratum: ({ age }: CkdPatient) => (age! < 50 ? 'young' : 'old'),
    withVisits: false,
  } as const;

  it('splits the cohort: no patient in both parts, none lost', () => {
    const { test, train, table } = cohortPatients(options);
    expect([test.length, train.length, table]).toEqual([30, 120, undefined]);
    expect(new Set([...ids(test), ...ids(train)]).size).toBe(150);
  });

  it('keeps the strata in proportion', () => {
    const { test, train } = cohortPatients(options);
    const young = (patients: readonly CkdPatient[]) =>
      patients.filter((patient) => options.getStratum(patient) === 'young').length;
    expect(Math.abs(young(test) * 4 - young(train))).toBeLessThanOrEqual(4);
    expect(young(test)).toBeGreaterThan(0);
  });

  it('gives as many records as asked, also where there are fewer than strata, or hardly any training', () => {
    for (const nRecords of [1, 2, 3, 7, 10]) {
      for (const testSize of [0.2, 0.5, 0.9]) {
        const getStratum = ({ age }: CkdPatient) => String(Math.floor(age! / 10));
        const { test, train } = cohortPatients({ ...options, nRecords, testSize, getStratum });
        expect([nRecords, testSize, test.length]).toEqual([nRecords, testSize, nRecords]);
        expect(train.length).toBe(Math.ceil(nRecords / testSize - 1e-9) - nRecords);
        expect(new Set([...ids(test), ...ids(train)]).size).toBe(test.length + train.length);
      }
    }
  });

  it('gives everybody to the evaluation when nothing is left for learning', () => {
    const { test, train } = cohortPatients({ ...options, testSize: 1 });
    expect([test.length, train.length]).toEqual([30, 0]);
  });

  it('shows what was measured, and keeps the truth only where visits need it', () => {
    const cohort = generateCohort({ n: 150, seed: 3 });
    const flagged = cohort.findIndex(({ context }) => context !== null);
    const { test } = cohortPatients({ ...options, nRecords: 150, testSize: 1 });
    expect(test[flagged]!.context).not.toBeNull();
    cohort.forEach((source, i) => {
      expect(test[i]).toMatchObject({
        sourceId: `cohort-${i}`,
        origin: 'cohort',
        age: source.age,
        sex: source.sex,
        sexAssumed: false,
        values: source.values,
        acr: source.acr,
        imputed: {},
      });
      expect(test[i]).not.toHaveProperty('visits');
      expect(test[i]).not.toHaveProperty('trueTrajectory');
    });
    const dated = cohortPatients({ ...options, nRecords: 150, testSize: 1, withVisits: true }).test;
    const seventh = cohort.find(({ index }) => `cohort-${index}` === dated[7]!.sourceId)!;
    expect(dated[7]).toMatchObject({
      visits: seventh.visits,
      trueTrajectory: seventh.truth.trajectory,
    });
  });

  it('leaves out and counts, with visits, people between the definitions and children who grew up meanwhile', () => {
    const { test, excluded } = cohortPatients({ ...options, nRecords: 1000, testSize: 1, withVisits: true });
    expect(test).toHaveLength(1000);
    for (const { age, visits, trueTrajectory } of test) {
      expect(trueCourse(trueTrajectory!)).not.toBeNull();
      if (age! >= 18) expect(visits![0]!.age).toBeGreaterThanOrEqual(18);
    }
    const drawn = generateCohort({ n: 1000 + [...excluded!.values()].reduce((a, b) => a + b), seed: 3 });
    const grownUp = drawn.filter(({ age, visits }) => age >= 18 && visits[0]!.age < 18);
    const between = drawn.filter((patient) => patient.truth.course === null && !grownUp.includes(patient));
    expect(Object.fromEntries(excluded!)).toEqual({
      under_18_at_first_visit: grownUp.length,
      course_between_definitions: between.length,
    });
    expect(cohortPatients({ ...options, nRecords: 1000, testSize: 1 }).excluded!.size).toBe(0);
  });
});

describe('uciPatients', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'krisis-sources-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const SICK = '63,90,1.010,3,0,abnormal,abnormal,present,notpresent,140,95,4.2,134,5.1,9.4,29,8800,3.3';
  const WELL = '35,70,1.020,0,0,normal,normal,notpresent,notpresent,95,28,0.9,141,4.2,14.8,45,7000,5.2';
  const header = ['id', ...UCI_FEATURES.map(({ name }) => name), 'class'].join(',');
  const row = (i: number) =>
    i % 2 === 0 ? `${SICK},yes,yes,no,poor,yes,yes,ckd` : `${WELL},no,no,no,good,no,no,notckd`;
  /** Sixty rows; `change` may write another text for one. */
  async function file(change: (row: string, i: number) => string = (text) => text, head = header) {
    const rows = Array.from({ length: 60 }, (_, i) => `p${i},${change(row(i), i)}`);
    const path = join(folder, `${crypto.randomUUID()}.csv`);
    await writeFile(path, [head, ...rows, ''].join('\n'));
    return path;
  }
  const read = async (dataPath: string, more: Partial<Parameters<typeof uciPatients>[0]> = {}) =>
    uciPatients({ dataPath, testSize: 0.25, seed: 9, nSynthetic: 0, ...more });

  it('splits by class, and keeps the file', async () => {
    const { test, train, table } = await read(await file());
    expect([test.length, train.length, table!.rows.length]).toEqual([15, 45, 60]);
    expect(new Set([...ids(test), ...ids(train)]).size).toBe(60);
    const sick = test.filter(({ uciClass }) => uciClass === 'ckd').length;
    expect([7, 8]).toContain(sick);
    expect(test[0]).toMatchObject({ origin: 'uci', sexAssumed: true, imputed: {} });
    expect(test[0]).not.toHaveProperty('acr');
    expect(test[0]).not.toHaveProperty('context');
  });

  it('gives the patients in an order that is blind to the class, whatever the order of the file', async () => {
    const sorted = (which: number) => file((_, i) => row(i < 30 ? which : which + 1));
    const classes = (await read(await sorted(0))).test.map(({ uciClass }) => uciClass);
    expect(classes).not.toEqual(classes.toSorted());
    const { test } = await read(await file());
    const order = askingOrder(
      ids(test)
        .toSorted()
        .map((id) => ({ id })),
      9,
    );
    expect(ids(test)).toEqual(order.map((place) => ids(test).toSorted()[place]));
  });

  it('draws sex by seed and id alone: other values, another class and another order change nothing', async () => {
    const sexes = (patients: readonly CkdPatient[]) =>
      Object.fromEntries(patients.map(({ sourceId, sex }) => [sourceId, sex]));
    const all = async (path: string, seed = 9) => {
      const { test, train } = await read(path, { seed });
      return sexes([...test, ...train]);
    };
    const before = await all(await file());
    expect(new Set(Object.values(before))).toEqual(new Set(['female', 'male']));
    expect(await all(await file((_, i) => row(i + 1).replace(/^\d+/, '70')))).toEqual(before);
    expect(await all(await file(), 10)).not.toEqual(before);
  });

  it('takes sex and ACR from columns, and draws sex only where the cell is empty', async () => {
    const path = await file((text, i) => `${text},${i === 0 ? '' : 'f'},${i}`, `${header},sex,acr`);
    const { test, train } = await read(path);
    for (const { sourceId, sex, sexAssumed, acr } of [...test, ...train]) {
      expect(sexAssumed).toBe(sourceId === 'p0');
      if (!sexAssumed) expect(sex).toBe('female');
      expect(`p${acr}`).toBe(sourceId);
    }
  });

  it('adds synthetic patients to the evaluation part only, marked as such', async () => {
    const { test, train } = await read(await file(), { nSynthetic: 12 });
    const learned = test.filter(({ origin }) => origin === 'uci_synthetic');
    expect(ids(learned).sort()).toEqual(Array.from({ length: 12 }, (_, i) => `synthetic-${i}`).sort());
    expect([test.length, train.length]).toEqual([27, 45]);
    expect(train.every(({ origin }) => origin === 'uci')).toBe(true);
    expect(new Set(learned.map(({ uciClass }) => uciClass))).toEqual(new Set(['ckd', 'notckd']));
  });

  it('learns synthetic patients from the training part: the evaluation part may be anything', async () => {
    const learned = async (path: string) =>
      (await read(path, { nSynthetic: 12 })).test.filter(({ origin }) => origin === 'uci_synthetic');
    const { test, train } = await read(await file());
    const older = (which: readonly string[]) =>
      file((text, i) => (which.includes(`p${i}`) ? text.replace(/^\d+/, '99') : text));
    const before = await learned(await file());
    expect(await learned(await older(ids(test)))).toEqual(before);
    expect(await learned(await older(ids(train)))).not.toEqual(before);
  });
});

describe('checkMemory', () => {
  it('refuses a cohort that the heap cannot hold, and says what it needs', () => {
    checkMemory(20_000, 192 * 2 ** 20);
    expect(() => checkMemory(20_000, 160 * 2 ** 20)).toThrow(/need about 183 MB of heap, and Node has 160/);
    checkMemory(1000);
  });
});
