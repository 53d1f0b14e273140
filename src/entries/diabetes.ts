/** `krisis/diabetes`: the diabetes suites, the ADA's criteria and units. */

export { glycaemiaCategory } from '../domains/diabetes/ada.ts';
export {
  type DiabetesSuiteOptions,
  diabetesSuite,
  type NhanesDiagnosisOptions,
  nhanesDiagnosisSuite,
} from '../domains/diabetes/diabetes-suite.ts';
export { glucoseMgDl, glucoseMmolL, hba1cMmolMol, hba1cPercent } from '../domains/diabetes/units.ts';
export { chanceAtOrAbove, referenceChangeValue } from '../domains/diabetes/variation.ts';
