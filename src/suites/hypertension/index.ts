export { bpCategory, type BpGuideline, isHigh, isSevere, type Pressure } from './blood-pressure.ts';
export { hypertensionSuite, type HypertensionSuiteOptions } from './hypertension-suite.ts';
export { officeAverage } from './office-average.ts';
export { preventTotalCvd, type PreventInput } from './prevent.ts';
export { bpChange, lineProbability, regressionToTheMean } from './variation.ts';
