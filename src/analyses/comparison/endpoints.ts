import type { Columns } from '../../metrics/columns.ts';
import type { Metric } from '../../metrics/metric.ts';
import { builtInMetrics } from '../../metrics/registry.ts';
import { shareScores } from '../../metrics/score-metrics.ts';

/** What two models are compared by. */
export interface Endpoint {
  readonly metric: Metric;
  /**
   * The score of every row, NaN where it has none: then the metric is the mean over records, and differences can be tested record by
   * record. Null where the metric is not such a mean: then it is computed on every resample, and has an interval but no p-value.
   */
  readonly rowScores: ((columns: Columns) => Float64Array | null) | null;
  /** Whether it is a share: a row scores 0 to 1, and the score interval fits. */
  readonly binary: boolean;
}

/** The endpoints of every comparison, in the order of a report: emergencies and harm first, then decisions, accuracy never alone. */
export const ENDPOINTS: readonly Endpoint[] = builtInMetrics()
  .filter(({ endpoint }) => endpoint !== undefined)
  .sort((a, b) => a.endpoint! - b.endpoint!)
  .map(endpointFor);

/** The endpoint of a metric. A share over all rows is compared row by row; one over answered rows only is not, since the models answer different rows. */
export function endpointFor(metric: Metric): Endpoint {
  if (metric.rowScores) return { metric, rowScores: metric.rowScores, binary: metric.isShare === true };
  const isShare = metric.proportion !== undefined && metric.answeredOnly !== true;
  return { metric, rowScores: isShare ? (columns) => shareScores(metric, columns) : null, binary: isShare };
}
