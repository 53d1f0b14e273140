import { KrisisError } from '../core/errors.ts';
import {
  MAX_NOTE,
  type ReviewDraw,
  type ReviewEvent,
  type ReviewPlan,
} from '../store/review/review-schema.ts';
import { type NewReviewLabel, targetKey } from '../store/review/review-session.ts';
import type { ReviewFrame } from './frame.ts';
import type { Reviewer } from './session.ts';

/** What a label is given against. */
export interface Reviewed {
  readonly frame: ReviewFrame;
  readonly plan: ReviewPlan;
  readonly draws: readonly ReviewDraw[];
}

/**
 * A label as it is stored: what the reviewer said, with what only we know. A label of a drawn target carries the probability of the draw; a remark on the record or on the rubric line itself was not drawn, and has none.
 *
 * @throws KrisisError with the code `ERR_REVIEW_LABEL` where the target is not one of the review, or its texts are others.
 */
export function labelEvent(
  given: NewReviewLabel,
  { frame, plan, draws }: Reviewed,
  { rater, role, blind }: Reviewer,
  { via, at }: Pick<ReviewEvent, 'via' | 'at'>,
): ReviewEvent {
  const refuse = (what: string): never => {
    throw new KrisisError(`label ${given.id}: ${what}`, { code: 'ERR_REVIEW_LABEL', value: given.id });
  };
  const said = {
    id: given.id,
    kind: given.kind,
    recordId: given.recordId,
    repeat: given.repeat,
    itemId: given.itemId,
    verdict: given.verdict,
    label: given.label,
    urgent: given.urgent,
    probability: given.probability,
    reason: cut(given.reason),
    note: cut(given.note),
    supersedes: given.supersedes,
    rater: rater.id,
    role,
    blind,
    guideline: plan.guideline,
    via,
    at,
  };
  const key = targetKey(given);
  const drawn = draws.find((one) => targetKey(one) === key);
  if (given.kind === 'suite_item' && drawn === undefined) {
    const draw = draws.find(({ recordId, itemId }) => recordId === given.recordId && itemId === given.itemId);
    const unit = frame.units.find(
      ({ recordId, itemId }) => recordId === given.recordId && itemId === given.itemId,
    );
    if (draw === undefined || unit === undefined) return refuse('its target is not in this review');
    const notDrawn = { plan: null, stratum: null, inclusionProbability: null };
    // A remark is an opinion among others, never a ruling.
    return {
      ...said,
      role: 'rater',
      repeat: 0,
      ...notDrawn,
      answerHash: unit.recordHash,
      itemHash: unit.itemHash,
    };
  }
  if (drawn === undefined) return refuse('its target is not in this review');
  if (drawn.answerHash !== given.answerHash || drawn.itemHash !== given.itemHash)
    refuse('it is about a text other than the one drawn');
  const { stratum, inclusionProbability, answerHash, itemHash } = drawn;
  return { ...said, plan: plan.id, stratum, inclusionProbability, answerHash, itemHash };
}

/** SQLite stores UTF-8, which has no lone surrogates. */
function cut(text: string | null): string | null {
  const whole = text?.trim().toWellFormed().slice(0, MAX_NOTE).toWellFormed() ?? '';
  return whole === '' ? null : whole;
}
