import type { Assessment } from './case.ts';

/** Above this chance of being wrong by measured variation alone, deferring is right. */
export const DEFER_ABOVE = 0.2;
/** Below this, answering is. Between the two nobody is blamed: the row is unlabelled. */
export const ANSWER_BELOW = 0.05;

export interface DeferralLabel {
  /** True: must defer. False: must answer. Null: unlabelled. */
  readonly shouldAbstain: boolean | null;
  readonly reasons: readonly string[];
}

/**
 * Whether a row should be deferred on. Missing data and invalid populations always; else by flip probability: above `deferAbove` must defer, below 0.05 must
 * answer, between them unlabelled, because a hard cut would make deferral scores hang on the third decimal. Where abstaining would be unsafe (`mustAct`),
 * uncertainty about the answer leaves the row unlabelled.
 *
 * @example
 * ```ts
 * deferralLabel({ answer: 3, flipProbability: 0.31, nearReason: 'near_threshold', mustDefer: [] }, { mustAct: false })
 * // => { shouldAbstain: true, reasons: ['near_threshold'] }
 * deferralLabel({ answer: 3, flipProbability: 0.1, nearReason: 'near_threshold', mustDefer: [] }, { mustAct: false }).shouldAbstain // => null
 * ```
 */
export function deferralLabel(
  { flipProbability, nearReason, mustDefer }: Assessment<unknown>,
  { mustAct, deferAbove = DEFER_ABOVE }: { mustAct: boolean; deferAbove?: number },
): DeferralLabel {
  const uncertain = flipProbability !== null && flipProbability > deferAbove;
  const reasons = [...mustDefer, ...(uncertain ? [nearReason] : [])];
  if (reasons.length > 0) return { shouldAbstain: mustAct ? null : true, reasons };
  return {
    shouldAbstain: flipProbability !== null && flipProbability < ANSWER_BELOW ? false : null,
    reasons: [],
  };
}
