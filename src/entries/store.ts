/** `krisis/store`: run files, their reviews, and whether they were changed. */

export { type MergedRun, mergeRuns } from '../engine/merge-runs.ts';
export { readPublicKey, readSigningKey, type SealKey } from '../store/keys.ts';
export { readReview, readRunReview, reviewPath } from '../store/review/review-file.ts';
export type { Review, ReviewDraw, ReviewEvent, ReviewPlan } from '../store/review/review-schema.ts';
export { RunFile } from '../store/run-file.ts';
export type { MergedPart, SealOptions } from '../store/seal.ts';
export {
  type RunVerification,
  type VerificationProblem,
  type VerifiedSeal,
  type VerifyOptions,
  verifyRun,
} from '../store/verify-run.ts';
