/** `krisis/ckd`: the CKD suite, its equations and its source reader. */

export { CkdSuite, type CkdSuiteOptions } from '../domains/ckd/ckd-suite.ts';
export { trueCourse } from '../domains/ckd/cohort/true-course.ts';
export { ckdEpi2021 } from '../domains/ckd/equations/ckd-epi.ts';
export { aCategoryFromMgPerG, gCategory, isCkd, riskCell } from '../domains/ckd/equations/kdigo.ts';
export { categoryFlipProbability } from '../domains/ckd/equations/variation.ts';
export { readUciFile, validateUciFile } from '../domains/ckd/source/read-uci.ts';
