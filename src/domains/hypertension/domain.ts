import { optionError } from '../../suites/suite-option.ts';
import type { Domain } from '../domain.ts';
import { nhanesFile } from '../nhanes/nhanes-file.ts';
import { CATEGORIES, GUIDELINES } from './blood-pressure.ts';
import type { HypertensionSuiteOptions, NhanesClassificationOptions } from './hypertension-suite.ts';
import { HYPERTENSION_EVIDENCE, HYPERTENSION_REASONS } from './reasons.ts';
import { HYPERTENSION_OPTIONS } from './suite-options.ts';

/** Hypertension: office categories, phenotypes, starting drugs, and control under drugs. */
export const HYPERTENSION: Domain = {
  name: 'hypertension',
  tasks: {
    classification: 'which category of office blood pressure? (normal to stage_2, or by ESC)',
    phenotype: 'office and out-of-office pressure together? (normotension, white_coat, masked, sustained)',
    treatment: 'start drugs for blood pressure now? (start, no_drug)',
    follow_up: 'is treated blood pressure controlled? (controlled, uncontrolled)',
  },
  shared:
    'Tasks share age, sex and ethnicity draws, and classification and treatment the whole cohort: their scores are not independent.',
  options: HYPERTENSION_OPTIONS,
  async create(task, options) {
    const { hypertensionSuite, nhanesClassificationSuite } = await import('./hypertension-suite.ts');
    const { dataPath, nRecords, ...rest } = options;
    if (dataPath !== undefined) {
      if (task !== 'classification')
        throw optionError(
          `hypertension suite: NHANES files are for the task classification; the survey has nothing for ${task}: leave dataPath out`,
          task,
        );
      if (nRecords !== undefined)
        throw optionError(
          'hypertension suite: nRecords is for the generated cohort; a file has its own number',
          nRecords,
        );
      return nhanesClassificationSuite({
        ...rest,
        dataPath: String(dataPath),
      } as NhanesClassificationOptions);
    }
    return hypertensionSuite({ ...options, task } as HypertensionSuiteOptions);
  },
  deferralReasons: HYPERTENSION_REASONS,
  evidence: HYPERTENSION_EVIDENCE,
  scales: GUIDELINES.map((guideline) => CATEGORIES[guideline]),
  dataFile: nhanesFile('hypertension/classification', async (paths) =>
    (await import('./nhanes.ts')).nhanesAdults(paths),
  ),
};
