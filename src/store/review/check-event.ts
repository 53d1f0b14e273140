import { canonicalJson } from '../../core/canonical-json.ts';
import { KrisisError } from '../../core/errors.ts';
import { eventProblem, type ReviewDraw, type ReviewEvent } from './review-schema.ts';

/**
 * Whether a label is new: false for one that is stored already.
 *
 * @param same The stored label with the same id.
 * @param onTarget All stored labels of the same target, in order.
 * @param draw The draw that the label names; null where its plan did not draw the target.
 * @throws KrisisError with the code `ERR_REVIEW_LABEL` for one that would make the history invalid.
 */
export function checkEvent(
  event: ReviewEvent,
  same: ReviewEvent | undefined,
  onTarget: readonly ReviewEvent[],
  draw: ReviewDraw | null,
): boolean {
  const refuse = (what: string): never => {
    throw new KrisisError(`label ${event.id}: ${what}`, { code: 'ERR_REVIEW_LABEL', value: event.id });
  };
  const problem = eventProblem(event);
  if (problem !== null) refuse(problem);
  if (same !== undefined) {
    if (said(same) !== said(event)) refuse('another label has this id');
    return false;
  }
  if (event.plan !== null && (draw === null || !isAsDrawn(event, draw)))
    refuse('its plan did not draw this target so');
  const superseded = new Set(onTarget.map(({ supersedes }) => supersedes));
  const active = onTarget.filter(({ id }) => !superseded.has(id));
  if (event.supersedes !== null) {
    const old = onTarget.find(({ id }) => id === event.supersedes);
    if (old === undefined || old.rater !== event.rater || old.role !== event.role)
      refuse('it corrects no label of this rater on this target');
    if (superseded.has(event.supersedes)) refuse('the label that it corrects was corrected already');
  }
  const others = active.filter(({ id }) => id !== event.supersedes);
  const own = others.filter(
    ({ rater, answerHash, itemHash }) =>
      rater === event.rater && answerHash === event.answerHash && itemHash === event.itemHash,
  );
  if (own.some(({ role }) => role === event.role))
    refuse('this rater has labelled the target already; correct that label');
  if (own.length > 0) refuse('the one who rules on a disagreement is not one of its raters');
  return true;
}

/** A label that comes again, over another way or at another time, says the same. */
function said({ at: _at, via: _via, ...event }: ReviewEvent): string {
  return canonicalJson(event);
}

function isAsDrawn(event: ReviewEvent, draw: ReviewDraw): boolean {
  return (['stratum', 'inclusionProbability', 'answerHash', 'itemHash'] as const).every(
    (key) => event[key] === draw[key],
  );
}
