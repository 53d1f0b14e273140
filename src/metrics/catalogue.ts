/** Every built-in metric. */

export * from './act/act-metrics.ts';
export { confidenceInverted } from './act/confidence-status.ts';
export * from './behaviour/run-consistency.ts';
export * from './calibration/binned-errors.ts';
export * from './calibration/brier.ts';
export * from './calibration/smooth-calibration-error.ts';
export * from './calibration/stated-confidence.ts';
export { correctedScore } from './correctness/corrected-score.ts';
export * from './correctness/correctness-metrics.ts';
export * from './deferral/answerable-metrics.ts';
export * from './deferral/answerable-metrics.ts';
export { groundedDeferralRate } from './deferral/answerable-metrics.ts';
export * from './deferral/deferral-metrics.ts';
export * from './detection/detection-metrics.ts';
export * from './progression/progression-metrics.ts';
export * from './selective/risk-coverage.ts';
export * from './selective/separation.ts';
export * from './staging/staging-metrics.ts';
export * from './utility/utility-metrics.ts';
export * from './utility/utility-metrics.ts';
export * from './utility/utility-metrics.ts';
