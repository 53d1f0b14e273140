import type { Review, ReviewPlan } from '../store/review/review-schema.ts';
import { activeEvents, isDisputed, labelsOfDraws } from './session.ts';

/** Counts a review. */
export function reviewStatus(review: Review) {
  const active = activeEvents(review.events).filter(({ verdict }) => verdict !== 'skip');
  return {
    plans: review.plans.map((plan) => planStatus(review, plan)),
    n_not_blind: active.filter(({ blind }) => !blind).length,
    raters: review.raters.map(({ id, name }) => ({
      rater: id,
      name,
      n_labels: active.filter(({ rater }) => rater === id).length,
    })),
    /** The last label that this was computed from; null before the first. */
    last_event: review.head?.id ?? null,
  };
}

function planStatus(review: Review, plan: ReviewPlan) {
  const counted = [...labelsOfDraws(review, plan)].map(([draw, labels]) => {
    const ratings = labels.filter(({ role }) => role === 'rater');
    const isRuled = labels.length > ratings.length;
    const isOpen = isDisputed(labels);
    return {
      isLabelled: ratings.length >= draw.raters,
      isBegun: ratings.length > 0 && ratings.length < draw.raters,
      isAgreed: ratings.length > 1 && !isOpen && !isRuled,
      isOpen,
      isRuled,
    };
  });
  const count = (key: keyof (typeof counted)[number]) => counted.filter((one) => one[key]).length;
  return {
    plan: plan.id,
    kind: plan.kind,
    targets: plan.targets,
    n_drawn: counted.length,
    /** Targets with as many labels as the plan wants. */
    n_labelled: count('isLabelled'),
    /** Targets with a label, and not enough. */
    n_begun: count('isBegun'),
    /** Targets on which two or more raters agree. */
    n_agreed: count('isAgreed'),
    /** Targets on which raters differ, and no third person has ruled. */
    n_disputed: count('isOpen'),
    n_ruled: count('isRuled'),
  };
}
