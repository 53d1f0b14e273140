import { z } from 'zod';
import { choice, number, text, whole } from '../domains/suite-option.ts';
import { GUIDELINES } from './blood-pressure.ts';

/** What `hypertensionSuite` can be given; `HypertensionSuiteOptions` has the types. */
export const HYPERTENSION_OPTIONS = {
  guideline: choice(
    '--guideline <name>',
    'whose lines count: acc_aha_2025, esc_2024; treatment knows acc_aha_2025 only (default: acc_aha_2025)',
    GUIDELINES,
  ),
  dataPath: text(
    '--data <files>',
    'NHANES files for classification: one merged CSV, or several CSV or XPT files with commas (default: the generated cohort)',
  ),
  nRecords: whole('--n-records <n>', 'evaluation records of the cohort (default: 1000)', 1),
  testSize: number(
    '--test-size <share>',
    'share of patients to evaluate (default: 0.2)',
    z.number().gt(0).max(1),
    'a number above 0, at most 1',
  ),
  seed: whole('--seed <n>', 'seed of the generated records and of the split (default: 42)', 0),
};
