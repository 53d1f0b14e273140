import type { Label } from '../../core/label.ts';
import type { ReviewEvent, ReviewTarget } from './review-schema.ts';

/** A target, bound to the texts that the reviewer sees. */
export type HashedTarget = ReviewTarget & Pick<ReviewEvent, 'answerHash' | 'itemHash'>;

/** The target of an event or a draw, without what was said of it. */
export function hashedTarget({
  kind,
  recordId,
  repeat,
  itemId,
  answerHash,
  itemHash,
}: HashedTarget): HashedTarget {
  return { kind, recordId, repeat, itemId, answerHash, itemHash };
}

/** The name of a target in one text: the key of events and draws. */
export function targetKey({ kind, recordId, repeat, itemId }: ReviewTarget): string {
  return JSON.stringify([kind, recordId, repeat, itemId]);
}

/** What a reviewer says of one target. */
export type ReviewDecision = Pick<
  ReviewEvent,
  'verdict' | 'label' | 'urgent' | 'probability' | 'reason' | 'note'
>;

/** An open answer and one item of its rubric. Whether the item is required or forbidden is not shown. */
interface ShownItem {
  readonly kind: 'item';
  readonly question: string;
  readonly answer: string;
  readonly item: string;
  /** What the item is about, as the judge is told; null if the rubric has none. */
  readonly background: string | null;
}

/** A record as the model was shown it, and the labels to choose from. The suite's own label is not shown. */
interface ShownRecord {
  readonly kind: 'record';
  /** What is to be decided, in the words of the task; null if the task has none. */
  readonly question: string | null;
  /** The record as the model was shown it: its features by name, or one text. */
  readonly record: Readonly<Record<string, unknown>> | string;
  readonly labels: readonly Label[];
  /** The question about urgency, answered beside the decision; null where reviewers are not asked. */
  readonly urgencyQuestion: string | null;
  /** The reasons to defer that the task knows, to choose from. Default: none, a reason is free text. */
  readonly reasons?: readonly string[];
}

/** A record with its label, or a rubric item, of which the reviewer says whether it is right. */
interface ShownSuiteItem {
  readonly kind: 'suite_item';
  readonly question: string | null;
  readonly record: Readonly<Record<string, unknown>> | string | null;
  /** What the suite says: its label, or the rubric item. */
  readonly claim: string;
}

export type ReviewShown = ShownItem | ShownRecord | ShownSuiteItem;

/** What one of the two raters said, for the person who rules on their disagreement. */
export interface ReviewRating extends ReviewDecision {
  readonly rater: string;
}

/** One target of a reviewer's queue. */
export interface ReviewQueueItem extends HashedTarget {
  readonly shown: ReviewShown;
  /** The ratings that disagree; only in the queue of an adjudicator. */
  readonly ratings?: readonly ReviewRating[];
  /** The judge's verdict or the model's decision; only in a review that is not blind. */
  readonly notBlind?: string;
}

/** A label as the page sends it. The page makes the id, so that sending it twice stores it once; rater, role, plan and probabilities are the server's to add. */
export type NewReviewLabel = HashedTarget & ReviewDecision & Pick<ReviewEvent, 'id' | 'supersedes' | 'at'>;

/** All that a reviewer's page needs: the payload of the queue, and the data of an offline packet. */
export interface ReviewSession {
  /** Names this queue among others in the browser's storage: run, plan and rater. */
  readonly id: string;
  /** What is reviewed, in a few words that name no model: the suite. */
  readonly title: string;
  /** The reviewer's pseudonym, or name. */
  readonly rater: string;
  readonly role: ReviewEvent['role'];
  readonly blind: boolean;
  /** Whether the texts are those of a protected suite: the page then stores nothing in the browser. */
  readonly protected: boolean;
  readonly guideline: { readonly version: string; readonly text: string | null };
  /** The judge's definitions of the verdicts, by verdict; empty for records. */
  readonly definitions: Readonly<Record<string, string>>;
  readonly queue: readonly ReviewQueueItem[];
  /** What this reviewer has said so far, oldest first, including what was superseded. */
  readonly labels: readonly NewReviewLabel[];
}
