/** `krisis/hypertension`: the hypertension suites, categories of blood pressure, PREVENT, and how pressure varies. */

export {
  type BpGuideline,
  bpCategory,
  isHigh,
  isSevere,
  type Pressure,
} from '../domains/hypertension/blood-pressure.ts';
export {
  type HypertensionSuiteOptions,
  hypertensionSuite,
} from '../domains/hypertension/hypertension-suite.ts';
export { officeAverage } from '../domains/hypertension/office-average.ts';
export { type PreventInput, preventTotalCvd } from '../domains/hypertension/prevent.ts';
export { bpChange, lineProbability, regressionToTheMean } from '../domains/hypertension/variation.ts';
