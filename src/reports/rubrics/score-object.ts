import type { Score } from '../../core/index.ts';

/** A score of a rubric in its file form. */
export function scoreObject({ value, reason, nEvaluated, interval, intervalReason, bounds }: Score) {
  return { value, reason, n: nEvaluated, interval, interval_reason: intervalReason, bounds };
}
