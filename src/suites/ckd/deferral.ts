import { ANSWER_BELOW, DEFER_ABOVE } from '../cohort/zones.ts';
import type { Assessment } from './case.ts';

export interface DeferralLabel {
  /** True: must defer. False: must answer. Null: unlabelled. */
  readonly shouldAbstain: boolean | null;
  readonly reasons: readonly string[];
}

/**
 * Whether a row should be deferred. Missing data and invalid populations: always. Otherwise by flip probability: above `deferAbove` must defer, below 0.05 must
 * answer, between them unlabelled, because deferral scores would depend on the third decimal with a hard cut. Where abstaining would be unsafe (`mustAct`),
 * uncertainty about the answer leaves the row unlabelled. Doubt that decides nothing (a `decisiveFlip` below the flip probability) leaves it unlabelled too.
 *
 * @example
 * ```ts
 * deferralLabel({ answer: 3, flipProbability: 0.31, nearReason: 'near_threshold', mustDefer: [] }, { mustAct: false })
 * // => { shouldAbstain: true, reasons: ['near_threshold'] }
 * deferralLabel({ answer: 3, flipProbability: 0.1, nearReason: 'near_threshold', mustDefer: [] }, { mustAct: false }).shouldAbstain // => null
 * ```
 */
export function deferralLabel(
  { flipProbability, decisiveFlip, nearReason, mustDefer }: Assessment<unknown>,
  { mustAct, deferAbove = DEFER_ABOVE }: { mustAct: boolean; deferAbove?: number },
): DeferralLabel {
  const uncertain = flipProbability !== null && (decisiveFlip ?? flipProbability) > deferAbove;
  const reasons = [...mustDefer, ...(uncertain ? [nearReason] : [])];
  if (reasons.length > 0) return { shouldAbstain: mustAct ? null : true, reasons };
  return {
    shouldAbstain: flipProbability !== null && flipProbability < ANSWER_BELOW ? false : null,
    reasons: [],
  };
}
