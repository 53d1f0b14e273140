import type { ReviewEvent, ReviewKind, ReviewTarget } from './review-event.ts';

/**
 * How targets are drawn. `random`: all alike. `verdict`: by what the judge said. `disagreement`: by whether judges, passes or repeats agree. `severity`: every critical item (or must-act record) and some of the rest.
 * `outcome`: by how the row ended. `questions`: whole questions, with all items of their answers.
 */
export const PLAN_KINDS = ['random', 'verdict', 'disagreement', 'severity', 'outcome', 'questions'] as const;
export type PlanKind = (typeof PLAN_KINDS)[number];

/** Targets that are drawn with one probability. */
export interface PlanStratum {
  readonly id: string;
  /** Targets in it; for `questions`, questions. */
  readonly size: number;
  /** How many of them were drawn. */
  readonly n: number;
  /** n / size. 0 for a stratum from which nothing was drawn: it is outside what the labels speak of. */
  readonly inclusionProbability: number;
}

/** How the targets of a review were chosen, fixed before the first label. */
export interface ReviewPlan {
  /** The beginning of the hash of everything below and of the draws: a plan cannot be changed under its name. */
  readonly id: string;
  readonly kind: PlanKind;
  /** What is labelled: items of answers, records of a run with labels, or the test itself (its rubric lines, or its records with their labels). */
  readonly targets: ReviewKind;
  /** How many labels were asked for. What was drawn can be fewer (a small frame) or more (critical items, whole questions). */
  readonly n: number;
  readonly seed: number;
  /** Targets that could have been drawn. */
  readonly frameSize: number;
  /** SHA-256 of all targets that could have been drawn, with their strata. */
  readonly frameHash: string;
  readonly strata: readonly PlanStratum[];
  /** How many of the drawn targets are for two raters. */
  readonly nDouble: number;
  /** The version of the guideline: `krisis/1`, or the beginning of the hash of a text of your own. */
  readonly guideline: string;
  /** The text that reviewers see; null for the definitions of the verdicts alone. */
  readonly guidelineText: string | null;
  /** The judge, or jury, whose verdicts made the strata; null where no verdict did. */
  readonly judge: string | null;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** One target that a plan drew. */
export interface ReviewDraw extends ReviewTarget {
  readonly plan: string;
  /** The place in the shuffled order, from 0. */
  readonly position: number;
  readonly stratum: string;
  readonly inclusionProbability: number;
  /** Raters that should label it: 1, or 2. */
  readonly raters: number;
  /** As in `ReviewEvent`, when the target was drawn. */
  readonly answerHash: string;
  readonly itemHash: string;
}

/** A reviewer. */
export interface ReviewRater {
  /** `R1`, `R2`, ... */
  readonly id: string;
  /** Null unless the reviewer agreed to be named. */
  readonly name: string | null;
}

/** Everything that a review file holds. */
export interface Review {
  readonly runId: string | null;
  readonly suiteHash: string | null;
  readonly plans: readonly ReviewPlan[];
  /** In the order of plans and positions. */
  readonly draws: readonly ReviewDraw[];
  /** In the order in which they were stored. */
  readonly events: readonly ReviewEvent[];
  readonly raters: readonly ReviewRater[];
  /** The last event; null before the first. What is computed from a review names it, so that it can be computed again. */
  readonly head: { readonly id: string; readonly n: number; readonly hash: string } | null;
}
