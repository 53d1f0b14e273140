import { KrisisError } from '../core/errors.ts';
import { VERDICT_DEFINITIONS } from '../rubrics/judge/judge-text.ts';
import type {
  Review,
  ReviewDraw,
  ReviewEvent,
  ReviewPlan,
  ReviewRater,
} from '../store/review/review-schema.ts';
import {
  hashedTarget,
  type NewReviewLabel,
  type ReviewQueueItem,
  type ReviewRating,
  type ReviewSession,
  targetKey,
} from '../store/review/review-session.ts';
import type { ReviewFrame } from './frame.ts';

/** Who reviews, and how. */
export interface Reviewer {
  readonly rater: ReviewRater;
  readonly role: ReviewEvent['role'];
  /** False if the reviewer sees what the judge or the model said. */
  readonly blind: boolean;
}

/** The labels that no later one corrects. */
export function activeEvents(events: readonly ReviewEvent[]): ReviewEvent[] {
  const corrected = new Set(events.map(({ supersedes }) => supersedes));
  return events.filter(({ id }) => !corrected.has(id));
}

/** The labels that hold, by target, of the texts that were drawn. */
export function labelsOfDraws(review: Review, plan: ReviewPlan): Map<ReviewDraw, ReviewEvent[]> {
  const byTarget = Map.groupBy(activeEvents(review.events), targetKey);
  return new Map(
    review.draws
      .filter((draw) => draw.plan === plan.id)
      .map((draw) => [
        draw,
        (byTarget.get(targetKey(draw)) ?? []).filter(
          ({ answerHash, itemHash, verdict }) =>
            answerHash === draw.answerHash && itemHash === draw.itemHash && verdict !== 'skip',
        ),
      ]),
  );
}

/** Whether the raters of a target disagree, on the decision or on its urgency, and no third person has ruled on it yet. */
export function isDisputed(labels: readonly ReviewEvent[]): boolean {
  if (labels.some(({ role }) => role === 'adjudicator')) return false;
  const decisions = new Set(labels.map(({ verdict, label }) => JSON.stringify([verdict, label])));
  const urgencies = new Set(labels.flatMap(({ urgent }) => urgent ?? []));
  return decisions.size > 1 || urgencies.size > 1;
}

/**
 * The targets that are open to a reviewer: those without enough labels of others, and those that the reviewer has labelled. For the one who rules on disagreements: the disputed targets of other raters. Reviewers
 * begin at different places, so that two at work at once do not label the same.
 */
export function buildQueue(review: Review, plan: ReviewPlan, { rater, role }: Reviewer): ReviewDraw[] {
  const labels = labelsOfDraws(review, plan);
  const open = [...labels].filter(([draw, all]) => {
    const ratings = all.filter((label) => label.role === 'rater');
    const isOwn = ratings.some((label) => label.rater === rater.id);
    if (role === 'adjudicator')
      return (
        !isOwn && (isDisputed(all) || all.some((label) => label.role === role && label.rater === rater.id))
      );
    return isOwn || ratings.length < draw.raters;
  });
  const draws = open.map(([draw]) => draw);
  const start = draws.findIndex(({ position }) => position >= chooseStart(rater.id) * labels.size);
  return start <= 0 ? draws : [...draws.slice(start), ...draws.slice(0, start)];
}

/**
 * Refuses a ruling where there is none to make.
 *
 * @throws KrisisError with the code `ERR_REVIEWER` where no target is disputed, or the reviewer rated every one that is.
 */
export function checkAdjudicator(review: Review, plan: ReviewPlan, reviewer: Reviewer): void {
  if (buildQueue(review, plan, reviewer).length > 0) return;
  const nDisputed = [...labelsOfDraws(review, plan).values()].filter(isDisputed).length;
  const { id } = reviewer.rater;
  throw new KrisisError(
    nDisputed === 0
      ? 'there is no disagreement to rule on: no two reviewers differ on an item'
      : `${id} rated ${nDisputed === 1 ? 'the one item' : `all ${nDisputed} items`} in dispute; a third person rules on them`,
    { code: 'ERR_REVIEWER', value: id },
  );
}

/** Where a reviewer begins, as a share of the order: multiples of the golden section spread any number of them evenly. */
function chooseStart(raterId: string): number {
  return ((Number(raterId.slice(1)) - 1) * 0.618_033_988_749_895) % 1;
}

/** Names the queue of a reviewer among all others. */
export function sessionId(runId: string | null, plan: ReviewPlan, { rater, role }: Reviewer): string {
  return `${runId ?? 'run'}-${plan.id}-${rater.id}${role === 'rater' ? '' : '-rulings'}`;
}

/** Everything that a reviewer's page needs. Neither the stratum nor the probability of a target is in it: both would give away what the judge said. */
export function reviewSession(
  frame: ReviewFrame,
  review: Review,
  plan: ReviewPlan,
  reviewer: Reviewer,
  draws: readonly ReviewDraw[] = buildQueue(review, plan, reviewer),
): ReviewSession {
  const { rater, role, blind } = reviewer;
  const labels = role === 'adjudicator' ? labelsOfDraws(review, plan) : null;
  const shown = frame.shown(draws);
  const queue = draws.flatMap((draw): ReviewQueueItem[] => {
    const own = shown.get(targetKey(draw));
    if (own === undefined) return [];
    const seen = blind ? null : frame.verdictText(draw);
    return [
      {
        ...hashedTarget(draw),
        shown: own,
        ...(labels !== null && { ratings: listRatings(labels.get(draw) ?? []) }),
        ...(seen !== null && { notBlind: seen }),
      },
    ];
  });
  return {
    id: sessionId(review.runId, plan, reviewer),
    title: frame.suiteName,
    rater: rater.name ?? rater.id,
    role,
    blind,
    protected: frame.isProtected,
    guideline: { version: plan.guideline, text: plan.guidelineText },
    definitions: frame.targets === 'item' ? VERDICT_DEFINITIONS : {},
    queue,
    labels: review.events
      // Remarks on the test itself are never rulings.
      .filter((event) => event.rater === rater.id && (event.role === role || event.kind !== plan.targets))
      .map(toLabel),
  };
}

function listRatings(labels: readonly ReviewEvent[]): ReviewRating[] {
  return labels
    .filter(({ role }) => role === 'rater')
    .map(({ rater, verdict, label, urgent, probability, reason, note }) => ({
      rater,
      verdict,
      label,
      urgent,
      probability,
      reason,
      note,
    }));
}

function toLabel(event: ReviewEvent): NewReviewLabel {
  const { id, verdict, label, urgent, probability, reason, note, supersedes, at } = event;
  return {
    ...hashedTarget(event),
    ...{ id, verdict, label, urgent, probability, reason, note, supersedes, at },
  };
}
