import { argumentError } from '../core/index.ts';

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
