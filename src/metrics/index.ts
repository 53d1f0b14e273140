export { confidenceStatus, statusOfScore } from './act/confidence-status.ts';
export { tallyDecisions, tallySchema } from './act/decision-table.ts';
export * from './act/leading-scores.ts';
export * from './behaviour/subgroups.ts';
export * from './bundle-options.ts';
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
export * from './deferral/decision-groups.ts';
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
export type { MetricName } from './metric-names.ts';
export * from './registry.ts';
export { clusterOf } from './resample.ts';
export * from './sample.ts';
export * from './score.ts';
export { metricValues, scoreMetrics, shareScores } from './score-metrics.ts';
export * from './scorecard.ts';
export { matthews } from './tables.ts';
export type { UtilityMatrix } from './utility/utility-metrics.ts';
export * from './warning.ts';
export * from './warnings.ts';
