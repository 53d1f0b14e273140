export { copyReview } from './copy-review.ts';
export {
  type HashedTarget,
  hashedTarget,
  REVIEW_KINDS,
  type ReviewEvent,
  type ReviewKind,
  type ReviewTarget,
  targetKey,
} from './review-event.ts';
export {
  isReviewPath,
  namedPlan,
  openReview,
  type ReviewFile,
  readReview,
  readReviewOf,
  reviewPath,
} from './review-file.ts';
export { seenRecordHash, seenTextHash } from './review-hash.ts';
export {
  PLAN_KINDS,
  type PlanKind,
  type PlanStratum,
  type Review,
  type ReviewDraw,
  type ReviewPlan,
  type ReviewRater,
} from './review-plan.ts';
export { MAX_NOTE } from './review-schema.ts';
export type {
  NewReviewLabel,
  ReviewQueueItem,
  ReviewRating,
  ReviewSession,
  ReviewShown,
} from './review-session.ts';
