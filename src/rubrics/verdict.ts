/** What a text was read as, or why it cannot be read. */
export type Parsed<T> = (T & { readonly ok: true }) | { readonly ok: false; readonly reason: string };

/** What a judge may say of one item. */
export const VERDICTS = ['present', 'absent', 'contradicted', 'unclear'] as const;
/** What a judge says of one item. */
export type Verdict = (typeof VERDICTS)[number];

/** Whether a word is one of the verdicts, and not a reason why there is none. */
export function isVerdict(word: unknown): word is Verdict {
  return VERDICTS.some((verdict) => verdict === word);
}

/** One thing to look for in an answer. A judge does not learn whether it is required or forbidden. */
export interface JudgeItem {
  /** Stable: made of the trait and the instruction, the same in every process. */
  readonly id: string;
  readonly instruction: string;
}

/** A stretch of the answer as the judge quoted it, with its offsets; null where the answer does not contain it. */
export interface VerifiedQuote {
  readonly text: string;
  /** Offsets into the original answer, in UTF-16 units. */
  readonly start: number | null;
  readonly end: number | null;
}

/**
 * The verdict on one item. `unverified`: no quote of a positive verdict was found in the answer
 * whole and without a negation before it. `judge_error`: the judge gave nothing usable for it.
 */
export interface ItemVerdict {
  readonly id: string;
  readonly verdict: Verdict | 'unverified' | 'judge_error';
  readonly quotes: readonly VerifiedQuote[];
  /** What went wrong, for `judge_error` and `unverified`, and why a value could not be compared, for `unclear`. */
  readonly reason: string | null;
  /**
   * For items with a typed check: the value that the judge copied from the answer, or the whole
   * quantity where it copied a part. Code compared it, and made it present or contradicted.
   */
  readonly value?: string;
  /** Why, in the words of a grader that explains its decision in place of quoting the answer; null where these words are not stored. Absent where a judge quotes. */
  readonly explanation?: string | null;
}
