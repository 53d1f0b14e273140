import type { Label } from '../../core/index.ts';
import { ANSWER_BELOW, DEFER_ABOVE } from '../cohort/verdict.ts';
import type { Assessment } from './case.ts';

export interface DeferralLabel {
  /** The answer that the values support; null where they support none. */
  readonly answer: Label | null;
  /** True: must defer. False: must answer. Null: unlabelled. */
  readonly shouldAbstain: boolean | null;
  readonly reasons: readonly string[];
}

/**
 * Whether a row should be deferred, emergencies apart. Missing data and invalid populations: always. Otherwise by flip probability: above `deferAbove` must defer, below 0.05
 * must answer, between them unlabelled, because deferral scores would depend on the third decimal with a hard cut. Doubt that decides nothing (a `decisiveFlip` below the flip
 * probability) leaves a row unlabelled too. A task that says itself whether its answer is `nearLine` defers by that, and not by flip probability.
 *
 * @example
 * ```ts
 * const near = { answer: 3, flipProbability: 0.31, nearReason: 'near_threshold', mustDefer: [] };
 * deferralLabel(near) // => { answer: 3, shouldAbstain: true, reasons: ['near_threshold'] }
 * deferralLabel({ ...near, flipProbability: 0.1 }).shouldAbstain // => null
 * deferralLabel({ ...near, nearLine: false }).shouldAbstain // => null
 * ```
 */
export function deferralLabel(
  { answer, flipProbability, decisiveFlip, nearLine, nearReason, mustDefer }: Assessment<Label>,
  deferAbove: number = DEFER_ABOVE,
): DeferralLabel {
  const isNear = nearLine ?? (decisiveFlip ?? flipProbability ?? 0) > deferAbove;
  const reasons = isNear && nearReason !== null ? [...mustDefer, nearReason] : mustDefer;
  if (reasons.length > 0) return { answer, shouldAbstain: true, reasons };
  const isClear = flipProbability !== null && flipProbability < ANSWER_BELOW;
  return { answer, shouldAbstain: isClear ? false : null, reasons };
}
