/** `krisis/metrics`: every metric, and what they are computed on. */

export {
  type BundleOptions,
  type Columns,
  type DeferralCosts,
  type DefinedMetric,
  type Estimate,
  keysToKeep,
  type MetricFamily,
  type MetricSpec,
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
