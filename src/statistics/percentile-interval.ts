import { assertLevel } from './critical-value.ts';
import { definedReplicates } from './defined-replicates.ts';
import { quantile } from './quantile.ts';

/**
 * Percentile bootstrap interval: the (1 - level)/2 and (1 + level)/2 quantiles (type 7) of the replicates, given in any
 * order.
 *
 * Undefined replicates are dropped; null when none is left or more than 5 % were undefined. One replicate: both bounds
 * are that value. Source: Efron & Tibshirani 1993.
 *
 * @example
 * ```ts
 * percentileInterval([0.5, 0.9, 0.6, 0.8, 0.7], 0.8) // => [0.54, 0.86]
 * percentileInterval([0.7]) // => [0.7, 0.7]
 * percentileInterval([]) // => null
 * ```
 */
export function percentileInterval(
  replicates: ArrayLike<number | null>,
  level = 0.95,
): [number, number] | null {
  assertLevel(level);
  const sorted = definedReplicates(replicates);
  return sorted && middleOf(sorted, level);
}

/** The bounds of the middle `level` of sorted values. */
export function middleOf(sorted: ArrayLike<number>, level: number): [number, number] {
  return [quantile(sorted, (1 - level) / 2)!, quantile(sorted, (1 + level) / 2)!];
}
