export { ageBand } from './behaviour/age-band.ts';
export { type SubgroupGap, subgroupGap } from './behaviour/subgroups.ts';
export { matthews } from './binary-table.ts';
export { type BundleOptions, TASK_NAMES, type TaskName } from './bundle-options.ts';
export { defaultBenchmarkMetrics, extendedMetrics } from './bundles.ts';
export { adaptiveCalibrationError } from './calibration/adaptive-calibration-error.ts';
export { brierDecomposition, brierParts } from './calibration/brier-decomposition.ts';
export { brierScore } from './calibration/brier-score.ts';
export { brierTopLabel } from './calibration/brier-top-label.ts';
export { expectedCalibrationError } from './calibration/expected-calibration-error.ts';
export { expectedCalibrationErrorDebiased } from './calibration/expected-calibration-error-debiased.ts';
export { logLoss } from './calibration/log-loss.ts';
export { maximumCalibrationError } from './calibration/maximum-calibration-error.ts';
export type { NullBand } from './calibration/null-band.ts';
export { overconfidence } from './calibration/overconfidence.ts';
export { smoothCalibrationError } from './calibration/smooth-calibration-error.ts';
export {
  ABSTAINED,
  ANSWERED,
  type Columns,
  type RowTable,
  RowTableBuilder,
  type TableOptions,
  tableOf,
  UNLABELLED,
} from './columns.ts';
export { abstentionRate } from './correctness/abstention-rate.ts';
export { accuracy } from './correctness/accuracy.ts';
export { answerRate } from './correctness/answer-rate.ts';
export { balancedAccuracy } from './correctness/balanced-accuracy.ts';
export { decisionAccuracy } from './correctness/decision-accuracy.ts';
export { invalidRate } from './correctness/invalid-rate.ts';
export { selectiveAccuracy } from './correctness/selective-accuracy.ts';
export { unsafeAnswerRate } from './correctness/unsafe-answer-rate.ts';
export { deferralAlignment, trivialPolicies } from './deferral/deferral-alignment.ts';
export { deferralBalanced } from './deferral/deferral-balanced.ts';
export { deferralCost, deferralCostNormalised } from './deferral/deferral-cost.ts';
export { deferralF1 } from './deferral/deferral-f1.ts';
export { deferralMcc } from './deferral/deferral-mcc.ts';
export { deferralPrecision } from './deferral/deferral-precision.ts';
export { deferralRecall } from './deferral/deferral-recall.ts';
export { deferralSpecificity } from './deferral/deferral-specificity.ts';
export { neededKeys } from './define-metric.ts';
export type { DetectionOptions } from './detection/detection-metric.ts';
export { detectionTable } from './detection/detection-table.ts';
export { f1 } from './detection/f1.ts';
export { mcc } from './detection/mcc.ts';
export { npv } from './detection/npv.ts';
export { ppv } from './detection/ppv.ts';
export { sensitivity } from './detection/sensitivity.ts';
export { specificity } from './detection/specificity.ts';
export { type Figures, figuresOf, type GroupDot, type ReliabilityBin } from './figures.ts';
export { NO_LABEL } from './label-table.ts';
export { METRIC_FAMILIES, type Metric, type MetricFamily, type MetricScore } from './metric.ts';
export { canonicalMetricName } from './metric-aliases.ts';
export { falseReassuranceRate } from './progression/false-reassurance-rate.ts';
export type { ProgressionOptions } from './progression/progression-metric.ts';
export { unsafeImprovementRate } from './progression/unsafe-improvement-rate.ts';
export { worseningRecall } from './progression/worsening-recall.ts';
export { Sample } from './sample.ts';
export { keysToKeep, type Scorecard, type ScoringOptions, scaleFor, scoreTable } from './score.ts';
export { estimateOf } from './score-metrics.ts';
export { scorecardObject } from './scorecard-object.ts';
export { augrc, eAugrc } from './selective/augrc.ts';
export { aurc, eAurc } from './selective/aurc.ts';
export { aurocConfidence } from './selective/auroc-confidence.ts';
export { coverageAtRisk } from './selective/coverage-at-risk.ts';
export { fprAt95Tpr } from './selective/fpr-at-95-tpr.ts';
export { curveOf } from './selective/risk-coverage-curve.ts';
export { selectiveRiskAtCoverage } from './selective/selective-risk-at-coverage.ts';
export { maeStages } from './staging/mae-stages.ts';
export { offByOneAccuracy } from './staging/off-by-one-accuracy.ts';
export type { OrdinalOptions } from './staging/ordinal-metric.ts';
export { overStagingRate } from './staging/over-staging-rate.ts';
export { qwk } from './staging/qwk.ts';
export { severeUnderStagingRate } from './staging/severe-under-staging-rate.ts';
export { underStagingRate } from './staging/under-staging-rate.ts';
export { FIVE_STAGES } from './task-packs.ts';
export { effectiveReliability } from './utility/effective-reliability.ts';
export { netBenefit, netBenefitTreatAll } from './utility/net-benefit.ts';
export { selectiveUtility } from './utility/selective-utility.ts';
export { type Warning, warningsFor } from './warnings.ts';
