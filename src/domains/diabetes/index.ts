export { glycaemiaCategory } from './ada.ts';
export {
  type DiabetesSuiteOptions,
  diabetesSuite,
  type NhanesDiagnosisOptions,
  nhanesDiagnosisSuite,
} from './diabetes-suite.ts';
export { glucoseMgDl, glucoseMmolL, hba1cMmolMol, hba1cPercent } from './units.ts';
export { chanceAtOrAbove, referenceChangeValue } from './variation.ts';
