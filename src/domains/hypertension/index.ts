export { type BpGuideline, bpCategory, isHigh, isSevere, type Pressure } from './blood-pressure.ts';
export { type HypertensionSuiteOptions, hypertensionSuite } from './hypertension-suite.ts';
export { officeAverage } from './office-average.ts';
export { type PreventInput, preventTotalCvd } from './prevent.ts';
export { bpChange, lineProbability, regressionToTheMean } from './variation.ts';
