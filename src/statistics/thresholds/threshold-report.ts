import { z } from 'zod';
import { count, fileKey, type Shape } from '../../core/index.ts';
import { exactUpperBound } from '../exact-upper-bound.ts';
import { assertSameLength } from '../same-length.ts';
import { reaches } from './deployable-threshold.ts';

export const thresholdReportSchema = z.object({
  n: count,
  /** Right or wrong with a confidence at or above the threshold. */
  answered: count,
  /** Wrong among the answered. */
  errors: count,
  coverage: z.number(),
  /** errors / answered; null without an answer. */
  risk: z.number().nullable(),
  /** One-sided exact upper bound of the risk (Clopper and Pearson). */
  riskUpper: z.number().nullable(),
  deferredPer100: fileKey('deferred_per_100', z.number()),
  errorsPer100: fileKey('errors_per_100', z.number()),
});
/** What a policy with a threshold does on rows that did not choose it. */
export type ThresholdReport = Shape<typeof thresholdReportSchema>;

/**
 * Coverage and risk of "answer at or above the threshold, else defer". Whatever is not right or wrong (abstained, invalid, failed), lacks a confidence or lies below the
 * threshold is deferred. A threshold of null defers everything. No rows: null. Default alpha of the upper bound: 0.05.
 *
 * @example
 * ```ts
 * thresholdReport(['right', 'wrong', 'abstained', 'right'], [0.95, 0.9, null, 0.6], 0.9)!.coverage // => 0.5
 * ```
 */
export function thresholdReport(
  states: readonly string[],
  confidences: readonly (number | null | undefined)[],
  threshold: number | null,
  { alpha = 0.05 }: { readonly alpha?: number | undefined } = {},
): ThresholdReport | null {
  assertSameLength({ states, confidences });
  const n = states.length;
  if (n === 0) return null;
  let answered = 0;
  let errors = 0;
  for (const [i, state] of states.entries()) {
    if (threshold === null || !reaches(confidences[i], threshold)) continue;
    if (state !== 'right' && state !== 'wrong') continue;
    answered += 1;
    if (state === 'wrong') errors += 1;
  }
  return {
    n,
    answered,
    errors,
    coverage: answered / n,
    risk: answered === 0 ? null : errors / answered,
    riskUpper: exactUpperBound(errors, answered, 1 - alpha),
    deferredPer100: (100 * (n - answered)) / n,
    errorsPer100: (100 * errors) / n,
  };
}
