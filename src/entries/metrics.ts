/** `krisis/metrics`: every metric, and what they are computed on. */

export type { BundleOptions, DefinedMetric, MetricSpec } from '../metrics/index.ts';
export {
  type Columns,
  type DeferralCosts,
  type Estimate,
  keysToKeep,
  type MetricFamily,
  metricValues,
  type Proportion,
  type Rows,
  type RowTable,
  RowTableBuilder,
  Sample,
  type SampleRow,
  type SubgroupGap,
  type SubgroupOptions,
  type SubgroupScore,
  scoreMetrics,
  subgroupGap,
  type TableOptions,
  type TaskName,
  type UtilityMatrix,
} from '../metrics/index.ts';
export * from '../metrics/registry.ts';
