import { optionError, type SuiteOptions } from '../../suites/suite-option.ts';
import type { Domain } from '../domain.ts';
import { isNhanesHeader, otherData } from '../nhanes/nhanes-columns.ts';
import { nhanesFile } from '../nhanes/nhanes-file.ts';
import { GLYCAEMIA_CATEGORIES } from './ada.ts';
import type { DiabetesSuiteOptions, NhanesDiagnosisOptions } from './diabetes-suite.ts';
import { DIABETES_EVIDENCE, DIABETES_REASONS } from './reasons.ts';
import { DIABETES_OPTIONS } from './suite-options.ts';

/** Diabetes. */
export const DIABETES: Domain = {
  name: 'diabetes',
  tasks: {
    diagnosis: 'what do these results show? (normal, prediabetes, diabetes)',
    control: 'what does the record call for first? (at_goal, above_goal, hypoglycaemia)',
    trend: 'how did HbA1c develop over dated visits? (stable, worsening, improving)',
  },
  shared: 'Tasks share age, sex and ethnicity draws: their scores are not independent.',
  options: DIABETES_OPTIONS,
  async create(task, options) {
    const { diabetesSuite, nhanesDiagnosisSuite } = await import('./diabetes-suite.ts');
    if (options.dataPath === undefined) return diabetesSuite({ ...options, task } as DiabetesSuiteOptions);
    refuseWithFile(task, options);
    return nhanesDiagnosisSuite({
      ...options,
      dataPath: String(options.dataPath),
    } as NhanesDiagnosisOptions);
  },
  deferralReasons: DIABETES_REASONS,
  evidence: DIABETES_EVIDENCE,
  scales: [GLYCAEMIA_CATEGORIES],
  dataFile: {
    ...nhanesFile('diabetes/diagnosis', async (paths) =>
      (await import('./diagnosis/nhanes.ts')).nhanesPeople(paths, 'us'),
    ),
    hasColumns: async (header) => isNhanesHeader(header) || otherData(header) !== null,
  },
};

/** Refuses what a data file does not go with. */
function refuseWithFile(task: string, { nRecords, units }: SuiteOptions): void {
  if (task !== 'diagnosis')
    throw optionError(
      `diabetes suite: NHANES files are for the task diagnosis; ${task} needs what the survey does not have: use the generated cohort (leave dataPath out)`,
      task,
    );
  if (nRecords !== undefined)
    throw optionError(
      'diabetes suite: nRecords is for the generated cohort; a file has its own number',
      nRecords,
    );
  if (units === 'mixed')
    throw optionError(
      'diabetes suite: units "mixed" is for the generated cohort; a file is shown in us or si',
      units,
    );
}
