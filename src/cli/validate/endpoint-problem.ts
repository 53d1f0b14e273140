import { didYouMean, nearNames, quoted } from '../../core/index.ts';
import { canonicalMetricName, type Metric } from '../../metrics/index.ts';
import { scoringFor } from '../../results/index.ts';
import type { Task } from '../../suites/index.ts';
import { namesOfMetrics } from '../run-gates.ts';

/** What is wrong with the metric that a suite names as its primary endpoint; null where there is such a metric. */
export function endpointProblem(
  metric: string,
  task: Parameters<typeof scoringFor>[0] | Task,
  ownMetrics: readonly Metric[] = [],
): string | null {
  const { names, extended } = namesOfMetrics(scoringFor(task), ownMetrics);
  const known = [...new Set([...names, ...(extended ?? [])])];
  if (known.includes(metric) || known.includes(canonicalMetricName(metric))) return null;
  const [near] = nearNames(metric, known);
  const hint = near === undefined ? didYouMean(metric, known) : `did you mean ${near}?`;
  return `primary_endpoint: no metric ${quoted(metric)}; ${hint}`;
}
