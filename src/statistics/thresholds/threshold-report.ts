import { exactUpperBound } from '../exact-upper-bound.ts';
import { assertSameLength } from '../same-length.ts';
import { reaches } from './deployable-threshold.ts';

/** What a policy with a threshold does on rows that did not choose it. */
export interface ThresholdReport {
  readonly n: number;
  /** Right or wrong with a confidence at or above the threshold. */
  readonly answered: number;
  /** Wrong among the answered. */
  readonly errors: number;
  readonly coverage: number;
  /** errors / answered; null without an answer. */
  readonly risk: number | null;
  /** One-sided exact upper bound of the risk (Clopper and Pearson). */
  readonly riskUpper: number | null;
  readonly deferredPer100: number;
  readonly errorsPer100: number;
}

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
