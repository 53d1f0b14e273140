import { z } from 'zod';
import { choice, N_RECORDS, number, TEST_SIZE, text, whole } from '../../suites/suite-option.ts';
import { ANSWER_BELOW } from '../cohort/verdict.ts';

/** What a diabetes suite can be given; `DiabetesSuiteOptions` has the types. */
export const DIABETES_OPTIONS = {
  dataPath: text(
    '--data <files>',
    'NHANES files, for diagnosis: one merged CSV, or several CSV or XPT files separated by commas (default: the generated cohort)',
  ),
  units: choice(
    '--units <system>',
    'us: %, mg/dL; si: mmol/mol, mmol/L; mixed: 35 % of the cases in SI units (default: mixed)',
    ['us', 'si', 'mixed'],
  ),
  nRecords: N_RECORDS,
  testSize: TEST_SIZE,
  deferAbove: number(
    '--defer-above <p>',
    'a case must be deferred when its label would change with more than this probability (default: 0.2)',
    z.number().min(ANSWER_BELOW).lt(1),
    `a probability from ${ANSWER_BELOW} to 1`,
  ),
  seed: whole('--seed <n>', 'seed of the generated cases (default: 42)', 0),
};
