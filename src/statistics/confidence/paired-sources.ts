import { z } from 'zod';
import type { Shape } from '../../core/index.ts';
import { criticalValue } from '../critical-value.ts';
import { mean } from '../sample-statistics.ts';
import { usableConfidences } from '../usable-confidences.ts';

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
/** AUROC of two confidences on the same rows, and their difference. */
export type PairedAuroc = Shape<typeof pairedAurocSchema>;

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
): PairedAuroc | null {
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
