/** What models and reviewers are asked beside the answer, in the same words: the two are compared. */
export const URGENCY_QUESTION = 'Does anything shown need action today, whatever the answer is?';
