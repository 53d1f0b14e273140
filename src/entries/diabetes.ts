/** `krisis/diabetes`: the diabetes suites, the ADA's criteria and units. */

export {
  chanceAtOrAbove,
  type DiabetesSuiteOptions,
  diabetesSuite,
  glucoseMgDl,
  glucoseMmolL,
  glycaemiaCategory,
  hba1cMmolMol,
  hba1cPercent,
  type NhanesDiagnosisOptions,
  nhanesDiagnosisSuite,
  referenceChangeValue,
} from '../domains/diabetes/index.ts';
