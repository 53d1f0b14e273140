import { z } from 'zod';
import type { Shape } from '../../core/codec.ts';
import { argumentError } from '../../core/errors.ts';
import { mean, usableConfidences } from '../samples.ts';
import { criticalValue } from '../special-functions.ts';

/** A spelling that the model could have written at the place of the label. */
export interface LabelCandidate {
  readonly label: string | number;
  /** Natural logarithm of its probability; the sum over its tokens. */
  readonly logprob: number;
}

/** Confidence from token log-probabilities. */
export interface TokenConfidence {
  /** mass(answer) / mass(all labels seen); null with a reason. */
  readonly confidence: number | null;
  /** mass(answer) itself. */
  readonly lower: number | null;
  /** What the labels seen cover together. */
  readonly mass: number;
  readonly reason: 'answer_not_among_logprobs' | 'label_mass_too_small' | null;
}

/**
 * Confidence from the log-probabilities at the place of the label: spellings of one label add up, and the answer's mass is divided by that of all labels seen. An answer
 * that is not listed, and labels that together cover less than `minMass` (default 0.5), give no confidence.
 *
 * @example
 * ```ts
 * const candidates = [{ label: 'present', logprob: -0.2 }, { label: 'absent', logprob: -2.1 }];
 * confidenceFromLogprobs(candidates, 'present').confidence!.toFixed(4) // => '0.8699'
 * confidenceFromLogprobs(candidates, 'unclear').reason // => 'answer_not_among_logprobs'
 * ```
 */
export function confidenceFromLogprobs(
  candidates: readonly LabelCandidate[],
  answer: string | number,
  { minMass = 0.5 }: { readonly minMass?: number | undefined } = {},
): TokenConfidence {
  let mass = 0;
  let lower: number | null = null;
  for (const { label, logprob } of candidates) {
    const probability = Math.exp(logprob);
    mass += probability;
    if (label === answer) lower = (lower ?? 0) + probability;
  }
  if (lower === null) return { confidence: null, lower, mass, reason: 'answer_not_among_logprobs' };
  if (mass < minMass) return { confidence: null, lower, mass, reason: 'label_mass_too_small' };
  return { confidence: lower / mass, lower, mass, reason: null };
}

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

type Correct = readonly (number | boolean)[];

export const pairedDifferenceSchema = z.object({
  difference: z.number(),
  se: z.number().nullable(),
  lower: z.number().nullable(),
  upper: z.number().nullable(),
});
/** A difference with its standard error and interval; null where there are too few rows for one. */
export type PairedDifference = Shape<typeof pairedDifferenceSchema>;

export const pairedAurocSchema = pairedDifferenceSchema.extend({ aurocA: z.number(), aurocB: z.number() });
/**
 * Difference of the Brier scores of two confidences in the same answers, a - b, with a normal interval from the paired standard deviation. Negative: a is better.
 * No rows: null; one row: no interval.
 *
 * @example
 * ```ts
 * pairedBrierDifference([1, 1, 0], [0.9, 0.8, 0.3], [0.6, 0.7, 0.5])!.difference.toFixed(4) // => '-0.1200'
 * ```
 */
export function pairedBrierDifference(
  rows: Correct,
  a: readonly (number | null)[],
  b: readonly (number | null)[],
  level = 0.95,
): PairedDifference | null {
  const {
    correct,
    confidences: [confidenceA, confidenceB],
  } = usableConfidences(rows, a, b);
  const n = correct.length;
  const z = criticalValue(level);
  if (n === 0) return null;
  const differences = correct.map((right, i) => {
    const truth = right ? 1 : 0;
    return (confidenceA[i]! - truth) ** 2 - (confidenceB[i]! - truth) ** 2;
  });
  const difference = mean(differences)!;
  return withInterval(difference, n < 2 ? null : Math.sqrt(variance(differences) / n), z);
}

/**
 * Difference of the AUROC of two confidences (how well they separate right from wrong answers) in the same answers, a - b, with DeLong's paired variance; ties count one
 * half. No right or no wrong answer: null; one of either: no interval.
 *
 * Source: DeLong, DeLong & Clarke-Pearson 1988.
 *
 * @example
 * ```ts
 * const found = pairedAurocDifference([1, 1, 0, 0], [0.9, 0.8, 0.3, 0.4], [0.9, 0.5, 0.5, 0.4])!;
 * [found.aurocA, found.aurocB] // => [1, 0.875]
 * ```
 */
export function pairedAurocDifference(
  rows: Correct,
  sourceA: readonly (number | null)[],
  sourceB: readonly (number | null)[],
  level = 0.95,
): Shape<typeof pairedAurocSchema> | null {
  const {
    correct,
    confidences: [confidenceA, confidenceB],
  } = usableConfidences(rows, sourceA, sourceB);
  const z = criticalValue(level);
  const a = placements(correct, confidenceA);
  const b = placements(correct, confidenceB);
  if (a === null || b === null) return null;
  const rights = a.right.map((value, i) => value - b.right[i]!);
  const wrongs = a.wrong.map((value, i) => value - b.wrong[i]!);
  const [aurocA, aurocB] = [mean(a.right)!, mean(b.right)!];
  const se =
    rights.length < 2 || wrongs.length < 2
      ? null
      : Math.sqrt(variance(rights) / rights.length + variance(wrongs) / wrongs.length);
  return { aurocA, aurocB, ...withInterval(aurocA - aurocB, se, z) };
}

function withInterval(difference: number, se: number | null, z: number): PairedDifference {
  if (se === null) return { difference, se, lower: null, upper: null };
  return { difference, se, lower: difference - z * se, upper: difference + z * se };
}

/** For each right answer the share of wrong ones below it, for each wrong one the share of right ones above it (ties one half), in O(n log n). */
function placements(
  correct: Correct,
  confidences: readonly number[],
): { readonly right: number[]; readonly wrong: number[] } | null {
  const sorted = { right: [] as number[], wrong: [] as number[] };
  for (const [i, confidence] of confidences.entries())
    sorted[correct[i] ? 'right' : 'wrong'].push(confidence);
  const [m, n] = [sorted.right.length, sorted.wrong.length];
  if (m === 0 || n === 0) return null;
  const inOrder = {
    right: Float64Array.from(sorted.right).sort(),
    wrong: Float64Array.from(sorted.wrong).sort(),
  };
  return {
    right: sorted.right.map((value) => below(inOrder.wrong, value) / n),
    wrong: sorted.wrong.map((value) => 1 - below(inOrder.right, value) / m),
  };
}

/** How many of the sorted values lie below this one, those equal to it counted one half. */
function below(sorted: Float64Array, value: number): number {
  return (firstIndex(sorted, (other) => other >= value) + firstIndex(sorted, (other) => other > value)) / 2;
}

function firstIndex(sorted: Float64Array, reached: (value: number) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (reached(sorted[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function variance(values: readonly number[]): number {
  const centre = mean(values)!;
  return values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (values.length - 1);
}
