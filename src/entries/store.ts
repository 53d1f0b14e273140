/** `krisis/store`: run files, their reviews, and whether they were changed. */

export { type MergedRun, mergeRuns } from '../engine/index.ts';
export {
  type MergedPart,
  RunFile,
  type RunVerification,
  readPublicKey,
  readSigningKey,
  type SealKey,
  type SealOptions,
  type VerificationProblem,
  type VerifiedSeal,
  type VerifyOptions,
  verifyRun,
} from '../store/index.ts';
export {
  type Review,
  type ReviewDraw,
  type ReviewEvent,
  type ReviewPlan,
  readReview,
  readReviewOf,
  reviewPath,
} from '../store/review/index.ts';
