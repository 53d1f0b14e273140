/** `krisis/metrics`: every metric, and what they are computed on. */

export {
  type SubgroupGap,
  type SubgroupOptions,
  type SubgroupScore,
  subgroupGap,
} from '../metrics/behaviour/subgroups.ts';
export type { BundleOptions, TaskName } from '../metrics/bundle-options.ts';
export { type Columns, type RowTable, RowTableBuilder, type TableOptions } from '../metrics/columns.ts';
export type { DeferralCosts } from '../metrics/deferral/deferral-metrics.ts';
export type { DefinedMetric } from '../metrics/define-metric.ts';
export type { Estimate, MetricSpec, Proportion, Rows } from '../metrics/metric.ts';
export * from '../metrics/registry.ts';
export { Sample, type SampleRow } from '../metrics/sample.ts';
export { keysToKeep } from '../metrics/score.ts';
export { metricValues, scoreMetrics } from '../metrics/score-metrics.ts';
export type { UtilityMatrix } from '../metrics/utility/utility-metrics.ts';
