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
