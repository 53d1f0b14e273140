/** Above this chance that measured variation alone changes the answer, deferring is right. */
export const DEFER_ABOVE = 0.2;
/** Below this, answering is right. Between the two, the row is unlabelled: neither choice counts as wrong. */
export const ANSWER_BELOW = 0.05;
