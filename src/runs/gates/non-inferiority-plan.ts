import { builtInMetric } from '../../metrics/registry.ts';
import { whole } from '../../reports/charts/number-text.ts';
import type { PlannedNonInferiority } from './plan-non-inferiority.ts';

/**
 * What a non-inferiority margin needs, in a sentence. Null where the metric counts most records and there are as many as the margin is
 * likely to need.
 */
export function nonInferiorityPlanText(planned: PlannedNonInferiority, reference: string): string | null {
  const { metric, margin, nRecords, nCounted, clusters, fewest, likely } = planned;
  const available = clusters?.n ?? nCounted;
  const isEnough = available >= fewest;
  if (isEnough && nCounted >= likely && 2 * nCounted >= nRecords) return null;
  const cases = builtInMetric(metric)?.cases ?? `cases that ${metric} counts`;
  const unit = clusters === null ? cases : `clusters (${clusters.key}) of ${cases}`;
  const found = clusters === null ? whole(nCounted) : `${whole(nCounted)} in ${whole(clusters.n)} clusters`;
  const needs = `a margin of ${margin} on ${metric} needs at least ${whole(fewest)} ${unit}, if the two runs never differ on them, and about ${whole(likely)} cases for a chance of 80 % if they differ on 10 %`;
  return `${needs}; ${reference} has ${found}${isEnough ? '' : ', too few unless the model turns out better'}`;
}
