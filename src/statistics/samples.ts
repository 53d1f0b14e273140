import { argumentError } from '../core/errors.ts';

/** A number that describes a sample; null where it is undefined. */
export type SampleStatistic = (values: readonly number[]) => number | null;

/** Statistics that a file can name. */
export type StatisticName = 'mean' | 'median' | 'sum';

/**
 * Mean of the values; null when there are none.
 *
 * @example
 * ```ts
 * mean([1, 0, 1, 1]) // => 0.75
 * mean([]) // => null
 * ```
 */
export function mean(values: ArrayLike<number>): number | null {
  const total = sum(values);
  return total === null ? null : total / values.length;
}

/**
 * Sum of the values; null when there are none: a sum of nothing would read as a score of 0.
 *
 * @example
 * ```ts
 * sum([1, 0, 1, 1]) // => 3
 * sum([]) // => null
 * ```
 */
export function sum(values: ArrayLike<number>): number | null {
  if (values.length === 0) return null;
  let total = 0;
  for (let i = 0; i < values.length; i++) total += values[i]!;
  return total;
}

/**
 * Middle value, or the mean of the two middle ones; null when there are none.
 *
 * @example
 * ```ts
 * median([3, 1, 2]) // => 2
 * median([4, 1, 2, 3]) // => 2.5
 * median([]) // => null
 * ```
 */
export function median(values: ArrayLike<number>): number | null {
  if (values.length === 0) return null;
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The function behind a name; a function is returned as it is. */
export function toStatistic(statistic: StatisticName | SampleStatistic): SampleStatistic {
  return typeof statistic === 'function' ? statistic : { mean, median, sum }[statistic];
}

/** The nearest number from 0 to 1. */
export function clipShare(value: number): number {
  return Math.min(1, Math.max(0, value));
}

/**
 * Quantile of values already in ascending order, Hyndman-Fan type 7 (the default of R and NumPy): with
 * h = (n - 1) p, the value at position h, linear between neighbours.
 *
 * No values: null. Throws when p is outside [0, 1]. Source: Hyndman & Fan 1996.
 *
 * @example
 * ```ts
 * quantile([1, 2, 3, 4], 0.5) // => 2.5
 * quantile([1, 2, 3, 4], 0.1) // => 1.3
 * quantile([7], 0.975) // => 7
 * quantile([], 0.5) // => null
 * ```
 */
export function quantile(sortedValues: ArrayLike<number>, p: number): number | null {
  if (!(p >= 0 && p <= 1)) throw argumentError(`quantile at ${p}; expected 0 to 1`, p);
  const n = sortedValues.length;
  if (n === 0) return null;
  const position = (n - 1) * p;
  const below = Math.floor(position);
  const low = sortedValues[below]!;
  const high = sortedValues[Math.min(below + 1, n - 1)]!;
  // Between equal neighbours there is nothing to add, and the sum could round away from them.
  return low === high ? low : low + (position - below) * (high - low);
}

/** Throws unless both lists have one entry per record: a shifted pairing would give plausible numbers. */
export function assertSameLength(lists: Readonly<Record<string, ArrayLike<unknown>>>): void {
  const [[nameA, a], [nameB, b]] = Object.entries(lists) as [Named, Named];
  if (a.length === b.length) return;
  throw argumentError(
    `${nameA} has ${a.length} entries and ${nameB} has ${b.length}; expected one of each per record, in the same order`,
    [a.length, b.length],
  );
}

type Named = [name: string, list: ArrayLike<unknown>];

/** The rows in which every confidence is a probability: others are in no statistic of confidence. */
export function usableConfidences<C extends readonly (readonly (number | null)[])[]>(
  correct: readonly (number | boolean)[],
  ...confidences: C
): { readonly correct: (number | boolean)[]; readonly confidences: { [K in keyof C]: number[] } } {
  for (const values of confidences) assertSameLength({ correct, confidences: values });
  const isProbability = (value: number | null | undefined) => value != null && value >= 0 && value <= 1;
  const isUsable = (_: unknown, i: number) => confidences.every((values) => isProbability(values[i]));
  return {
    correct: correct.filter(isUsable),
    confidences: confidences.map((values) => values.filter(isUsable)) as { [K in keyof C]: number[] },
  };
}
