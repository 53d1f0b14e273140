import { type DeferralReasons, type EvaluationResult, rightReasons } from '../../core/index.ts';
import { KNOWN_REASONS } from '../../domains/domains.ts';

/** How the stated reason of a deferral compares with the row's own, as a byte. */
export const NO_REASON = 0;
const WRONG_REASON = 1;
const RIGHT_REASON = 2;
/** Not a deferral on a must-defer row, or the row's reasons are unknown. */
export const NOT_COMPARED = -1;

/** Compares the reason that a model gave for deferring with the reasons in `metadata.should_abstain_reasons`. */
export function groundingOf(
  { state, deferralReason, metadata }: EvaluationResult,
  known: DeferralReasons = KNOWN_REASONS,
): number {
  if (state !== 'abstained' || metadata.should_abstain !== true) return NOT_COMPARED;
  const held = [metadata.should_abstain_reasons ?? []].flat().map(String);
  const right = rightReasons(held, known);
  if (deferralReason !== null && (right?.has(deferralReason) ?? held.includes(deferralReason)))
    return RIGHT_REASON;
  if (right === null) return NOT_COMPARED;
  return deferralReason === null ? NO_REASON : WRONG_REASON;
}
