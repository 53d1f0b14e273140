export { CkdSuite, type CkdSuiteOptions } from './ckd-suite.ts';
export { trueCourse } from './cohort/true-course.ts';
export { ckdEpi2021, type Sex, umolToMgDl } from './equations/ckd-epi.ts';
export {
  A_CATEGORIES,
  aCategoryFromMgPerG,
  aCategoryFromMgPerMmol,
  fiveStage,
  G_CATEGORIES,
  gCategory,
  isCkd,
  RISK_MAP,
  riskCell,
} from './equations/kdigo.ts';
export { kdigoProgression } from './equations/progression.ts';
export { categoryFlipProbability } from './equations/variation.ts';
export { problemText } from './source/problem.ts';
export { readUciFile, validateUciFile } from './source/read-uci.ts';
export type { UciSummary } from './source/summary.ts';
export { CKD_TASKS, type CkdTaskName } from './tasks/ckd-task.ts';
