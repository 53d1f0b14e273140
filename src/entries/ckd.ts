/** `krisis/ckd`: the CKD suite, its equations and its source reader. */

export {
  aCategoryFromMgPerG,
  CkdSuite,
  type CkdSuiteOptions,
  categoryFlipProbability,
  ckdEpi2021,
  gCategory,
  isCkd,
  readUciFile,
  riskCell,
  trueCourse,
  validateUciFile,
} from '../domains/ckd/index.ts';
