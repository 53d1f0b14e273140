import { argumentError } from '../../core/index.ts';

/** A reply of a repeat: its label, `abstain`, or null where it was invalid. */
export type Vote = string | number | null;

/** The joint answer of the repeats of a record. */
export interface RepeatVotes {
  /** The label with the most votes, `abstain` or `invalid`. */
  readonly decision: string | number;
  /** Votes for the decision / all replies; null where it is not a label. */
  readonly confidence: number | null;
  /** Whether a tie made it an abstention. */
  readonly tie: boolean;
  readonly abstainShare: number;
  readonly invalidShare: number;
  /** 1 - entropy over its maximum; null with one reply. */
  readonly entropyConfidence: number | null;
}

/**
 * Confidence from repeats: the share of replies that agree with the most frequent label. Abstaining and invalid replies stay in the denominator. A tie between labels, a
 * tie of the leading label with abstentions, or more abstentions than votes for any label is an abstention. The share measures self-consistency, not truth. The order of
 * votes does not matter. No votes: null.
 *
 * @example
 * ```ts
 * confidenceFromRepeats(['G2', 'G2', 'G3a', 'abstain', null], 6)!.confidence // => 0.4
 * confidenceFromRepeats(['yes', 'abstain'], 2)!.decision // => 'abstain'
 * ```
 */
export function confidenceFromRepeats(votes: readonly Vote[], labels: number): RepeatVotes | null {
  if (!(Number.isInteger(labels) && labels >= 1))
    throw argumentError(`number of labels is ${labels}; expected a count of at least 1`, labels);
  const replies = votes.length;
  if (replies === 0) return null;
  const counts = new Map<string | number, number>();
  let abstained = 0;
  let invalid = 0;
  for (const vote of votes) {
    if (vote === null || vote === undefined) invalid += 1;
    else if (vote === 'abstain') abstained += 1;
    else counts.set(vote, (counts.get(vote) ?? 0) + 1);
  }
  const most = Math.max(0, ...counts.values());
  const leaders = [...counts].filter(([, count]) => count === most).map(([label]) => label);
  const entropyConfidence = entropyShare(
    [...counts.values(), abstained, invalid],
    Math.min(replies, labels + 2),
  );
  const shares = { abstainShare: abstained / replies, invalidShare: invalid / replies, entropyConfidence };
  if (invalid === replies) return { decision: 'invalid', confidence: null, tie: false, ...shares };
  const tie = most >= abstained && (leaders.length > 1 || most === abstained);
  if (tie || abstained > most) return { decision: 'abstain', confidence: null, tie, ...shares };
  return { decision: leaders[0]!, confidence: most / replies, tie, ...shares };
}

function entropyShare(counts: readonly number[], categories: number): number | null {
  if (categories < 2) return null;
  const total = counts.reduce((sum, count) => sum + count, 0);
  let entropy = 0;
  // Sorted, so that the order of votes cannot change the last digit.
  for (const count of counts.filter((n) => n > 0).sort((a, b) => a - b))
    entropy -= (count / total) * Math.log(count / total);
  return 1 - entropy / Math.log(categories);
}
