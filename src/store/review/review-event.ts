import type { Label } from '../../core/index.ts';

/**
 * What a review is about. `item`: whether an answer says a rubric item. `record`: what the right decision on a record is, decided without sight of the model and of the suite's label.
 * `suite_item`: whether the record, or the rubric line itself, is right. The three are never pooled.
 */
export const REVIEW_KINDS = ['item', 'record', 'suite_item'] as const;
export type ReviewKind = (typeof REVIEW_KINDS)[number];

/** What a reviewer can say, by kind. `skip` is stored, counted as progress, and is in no estimate. */
export const REVIEW_VERDICTS = {
  item: ['present', 'absent', 'contradicted', 'unclear', 'skip'],
  record: ['label', 'defer', 'cannot_tell', 'skip'],
  suite_item: ['right', 'wrong', 'ambiguous', 'skip'],
} as const;

/** What a label is about, by name. */
export interface ReviewTarget {
  readonly kind: ReviewKind;
  readonly recordId: string;
  /** Which answer to the record; 0 for `record` and `suite_item`. */
  readonly repeat: number;
  /** The id of the rubric item; null where the whole record is reviewed. */
  readonly itemId: string | null;
}

/** One label as a person gave it. Events are appended, never edited or deleted; a correction is a new event that names the old one in `supersedes`. */
export interface ReviewEvent extends ReviewTarget {
  readonly id: string;
  /** A pseudonym (`R1`) unless the reviewer agreed to be named. */
  readonly rater: string;
  readonly role: 'rater' | 'adjudicator';
  /** One of `REVIEW_VERDICTS` of its kind. */
  readonly verdict: string;
  /** The label that the reviewer decided on; null unless kind is `record` and verdict is `label`. */
  readonly label: Label | null;
  /** Whether anything in the record needs action today, independently of the verdict; null where it was not asked or not stated, and for kinds other than `record`. */
  readonly urgent: boolean | null;
  /** How sure the reviewer is, from 0 to 1; null where not stated. */
  readonly probability: number | null;
  readonly reason: string | null;
  readonly note: string | null;
  /** False if the reviewer saw the judge's verdict, the model or the suite's label: such labels are in no agreement and no correction. */
  readonly blind: boolean;
  /** SHA-256 of the answer text that the reviewer saw (`item`), or of the record as shown (`record`, `suite_item`). */
  readonly answerHash: string;
  /** SHA-256 of the item text; of the empty text where there is no item. */
  readonly itemHash: string;
  /** The plan that drew the target; null for a label picked by hand. */
  readonly plan: string | null;
  readonly stratum: string | null;
  /** The probability with which the plan drew the target; null for a label picked by hand, which is in no estimate. */
  readonly inclusionProbability: number | null;
  /** The version of the reviewing guideline. */
  readonly guideline: string;
  readonly supersedes: string | null;
  /** ISO 8601. */
  readonly at: string;
  readonly via: 'viewer' | 'packet' | 'file';
}

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
