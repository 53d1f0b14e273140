import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { writeXpt } from '../../../../test/write-xpt.ts';
import { nhanesDiagnosisSuite } from '../diabetes-suite.ts';
import { DIABETES } from '../domain.ts';

const folder = mkdtempSync(join(tmpdir(), 'krisis-nhanes-'));
afterAll(() => rmSync(folder, { recursive: true }));

const demo = join(folder, 'DEMO_J.XPT');
const lab = join(folder, 'lab.csv');
const ROWS = [
  // seqn, age, sex, RIDRETH3, pregnant
  [1, 34, 2, 1, null],
  [2, 80, 1, 6, null],
  [3, 17, 1, 3, null],
  [4, 50, 2, 4, null],
  [5, 30, 2, 7, 1],
  [6, 61, 1, 3, null],
  [7, 45, 1, null, null],
  [8, null, 1, 3, null],
];
writeFileSync(demo, writeXpt(['SEQN', 'RIDAGEYR', 'RIAGENDR', 'RIDRETH3', 'RIDEXPRG'], ROWS));
writeFileSync(
  lab,
  [
    'SEQN,LBXGH,LBXGLU,WTSAF2YR,PHAFSTHR,PHAFSTMN,LBXGLT,GTXDRANK,DIQ010,DIQ070,BPXSY1,BPXDI1,BMXBMI',
    '1,5.2,88,20000,,,90,1,2,2,120,80,24.5',
    '2,7.4,150,20000,,,,,2,2,140,0,.',
    '4,7.9,,,,,,,1,1,,,',
    '5,5.1,,,,,,,2,2,,,',
    '6,6.9,104,0,,,230,2,3,2,,,',
    '7,5.0,92,0,6,45,,,9,1,,,',
  ].join('\n'),
);
const dataPath = `${demo},${lab}`;

it('recomputes labels from the values shown, and counts who is left out', async () => {
  const suite = await nhanesDiagnosisSuite({ dataPath, testSize: 1 });
  const description = await suite.describe();
  expect(description).toMatchObject({
    nRecords: 5,
    nTraining: 0,
    sensitivity: 'public',
    excluded: [
      { reason: 'under_18', n: 1 },
      { reason: 'diabetes_already_diagnosed', n: 1 },
      { reason: 'age_or_sex_missing', n: 1 },
    ],
    settings: { source: 'nhanes', units: 'us', guideline: 'ADA Standards of Care' },
  });
  expect(description.warnings[0]).toContain('measures once');
  const records = await suite.load();
  const of = (age: number) => records.find(({ metadata }) => metadata.age === age)!;
  expect(of(34)).toMatchObject({ label: 'normal', metadata: { should_abstain: false, origin: 'nhanes' } });
  expect(of(34).features.Results).toHaveLength(3);
  expect(of(80)).toMatchObject({
    label: 'diabetes',
    features: {
      'Age (years)': '80 or older',
      'Self-described ethnicity': 'non-Hispanic Asian',
      'Blood pressure (mmHg)': null,
    },
  });
  expect(of(30)).toMatchObject({ label: null, metadata: { should_abstain_reasons: ['pregnancy'] } });
  // Not fasting, and the drink was not finished: HbA1c is alone.
  expect(of(61)).toMatchObject({
    label: null,
    metadata: { should_abstain_reasons: ['unconfirmed_single_result'] },
  });
  expect(of(45).features.Results).toMatchObject([
    { test: 'HbA1c' },
    { test: 'fasting glucose', 'hours since last meal': 6 },
  ]);
  expect(of(45).metadata.should_abstain_reasons).toEqual(['glucose_lowering_drug']);
  for (const { features } of records) expect(features.Symptoms).toBe('not recorded');
});

it('splits by seed, and shows SI units when asked', async () => {
  const suite = await nhanesDiagnosisSuite({ dataPath, testSize: 0.4, units: 'si' });
  const [test, train] = [await suite.load(), await suite.training!()];
  expect([test.length, train.length]).toEqual([2, 3]);
  expect(JSON.stringify([...test, ...train])).not.toContain('mg/dL');
});

it.each([
  [{ dataPath: lab }, 'diagnosis', 'ERR_DATA_FILE', 'no column RIDAGEYR, RIAGENDR'],
  [{ dataPath }, 'control', 'ERR_SUITE_OPTION', 'NHANES files are for the task diagnosis'],
  [{ dataPath, nRecords: 5 }, 'diagnosis', 'ERR_SUITE_OPTION', 'nRecords is for the generated cohort'],
  [{ dataPath, units: 'mixed' }, 'diagnosis', 'ERR_SUITE_OPTION', 'a file is shown in us or si'],
])('refuses %j for %s', async (options, task, code, message) => {
  await expect(DIABETES.create(task, options)).rejects.toMatchObject({
    code,
    message: expect.stringContaining(message),
  });
});
