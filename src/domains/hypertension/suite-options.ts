import { choice, N_RECORDS, TEST_SIZE, text, whole } from '../../suites/suite-option.ts';
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
  nRecords: N_RECORDS,
  testSize: TEST_SIZE,
  seed: whole('--seed <n>', 'seed of the generated cases and of the split (default: 42)', 0),
};
