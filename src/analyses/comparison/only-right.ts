/** Means of thirds and tenths are rounded. */
const ROUNDING = 1e-9;

/**
 * Whether only the first of two runs is right on a record or item, from the shares of its repeats that are right: the first is higher by
 * more than one half. Without repeats: 1 against 0.
 *
 * @example
 * ```ts
 * isOnlyRight(1, 1 / 3) // => true
 * isOnlyRight(2 / 3, 1 / 3) // => false
 * ```
 */
export function isOnlyRight(first: number, second: number): boolean {
  return first - second > 0.5 + ROUNDING;
}
