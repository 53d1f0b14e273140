export { CkdSuite, type CkdSuiteOptions } from './ckd-suite.ts';
export { trueCourse } from './cohort/true-course.ts';
export { ckdEpi2021 } from './equations/ckd-epi.ts';
export { aCategoryFromMgPerG, gCategory, isCkd, riskCell } from './equations/kdigo.ts';
export { categoryFlipProbability } from './equations/variation.ts';
export { readUciFile, validateUciFile } from './source/read-uci.ts';
