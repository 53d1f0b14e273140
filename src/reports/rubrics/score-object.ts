import type { TraitMetricScore } from '../../rubrics/index.ts';

/** A score of a rubric in its file form. */
export function scoreObject({ value, reason, n, interval, intervalReason, bounds }: TraitMetricScore) {
  return { value, reason, n, interval, interval_reason: intervalReason, bounds };
}
