export { confidenceStatus, statusOfScore } from './act/confidence-status.ts';
export { tallyDecisions, tallySchema } from './act/decision-table.ts';
export { isNothingOfItsKind, leadingScores } from './act/leading-scores.ts';
export * from './behaviour/subgroups.ts';
export { ageBand } from './behaviour/subgroups.ts';
export { type BundleOptions, TASK_NAMES, type TaskName } from './bundle-options.ts';
export type { NullBand } from './calibration/null-band.ts';
export { factsAt } from './cells.ts';
export {
  ABSTAINED,
  ANSWERED,
  type Columns,
  pickRows,
  type RowTable,
  RowTableBuilder,
  type TableOptions,
  tableOf,
} from './columns.ts';
export { brierParts, curveOf } from './confidence-summaries.ts';
export {
  DEFERRAL_REASONS,
  type DecisionGroups,
  type DecisionShare,
  type DecisionsAtPrevalence,
  decisionGroups,
  decisionGroupsSchema,
  decisionsAtPrevalence,
  decisionsAtPrevalenceSchema,
} from './deferral/decision-groups.ts';
export type { DeferralCosts } from './deferral/deferral-metrics.ts';
export { trivialPolicies } from './deferral/deferral-table.ts';
export { confidencesOf, type DefinedMetric, defineMetric, neededKeys } from './define-metric.ts';
export { detectionTable } from './detection/detection-table.ts';
export { subgroupDots } from './figures/group-dots.ts';
export {
  type DecisionCurvePoint,
  type Figures,
  figuresOf,
  type GroupDot,
  type ReliabilityBin,
} from './figures.ts';
export { NO_LABEL } from './label-table.ts';
export * from './metric.ts';
export { canonicalMetricName } from './metric.ts';
export * from './registry.ts';
export { clusterOf } from './resample.ts';
export { Sample, type SampleRow, sampleRow } from './sample.ts';
export {
  bundleMetrics,
  keysToKeep,
  type Scorecard,
  type ScoringOptions,
  scaleFor,
  scoreTable,
} from './score.ts';
export { estimateOf, metricValues, scoreMetrics, shareScores } from './score-metrics.ts';
export { scorecardObject } from './scorecard.ts';
export { matthews } from './tables.ts';
export type { UtilityMatrix } from './utility/utility-metrics.ts';
export { HARM_CODES, isHarmWarning, type Warning } from './warning.ts';
export { collector, harmWarnings, warningsFor } from './warnings.ts';
