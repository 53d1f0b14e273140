/** `krisis/hypertension`: the hypertension suites, categories of blood pressure, PREVENT, and how pressure varies. */

export {
  type BpGuideline,
  bpCategory,
  bpChange,
  type HypertensionSuiteOptions,
  hypertensionSuite,
  isHigh,
  isSevere,
  lineProbability,
  officeAverage,
  type Pressure,
  type PreventInput,
  preventTotalCvd,
  regressionToTheMean,
} from '../domains/hypertension/index.ts';
