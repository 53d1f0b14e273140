import { isAlpha, isShare, limitWithEvidence, type Side } from './proportion-e-value.ts';

/** Fixed bets (2j - 1) / 100, j = 1..50, of equal weight: no tuning, no running variance, no dependence on the order of the values. */
export const BETS: readonly number[] = Array.from({ length: 50 }, (_, j) => (2 * j + 1) / 100);

/**
 * The evidence of values in [0, 1] that their mean lies above (or below) a limit, by betting. For means of patients, shares of repeats and paired differences; for plain 0/1
 * values `proportionEValue` is exact. Null when a value lies outside [0, 1].
 *
 * @example
 * ```ts
 * meanEValue([1, 1, 0, 1, 1, 1, 1, 0, 1, 1], 0.5)!.toFixed(6) // => '4.002121'
 * meanEValue([0.5, 1.2], 0.5) // => null
 * ```
 */
export function meanEValue(values: readonly number[], limit: number, side: Side = 'above'): number | null {
  if (!values.every(isShare) || !isShare(limit)) return null;
  const wealth = createWealth(side === 'above' ? limit : 1 - limit);
  for (const value of values) wealth.add(side === 'above' ? value : 1 - value);
  return wealth.value();
}

/**
 * Bounds of a mean of values in [0, 1] that hold at all n at once. Null without values, and when a value lies outside [0, 1]: values are never clipped.
 *
 * @example
 * ```ts
 * meanSequence([1, 1, 0.5, 1, 0.75, 1, 1, 0.8])!.map((bound) => bound.toFixed(3)) // => ['0.454', '0.988']
 * ```
 */
export function meanSequence(values: readonly number[], alphaSide = 0.025): readonly [number, number] | null {
  if (values.length === 0 || !values.every(isShare) || !isAlpha(alphaSide)) return null;
  return [
    lowerMean(values, alphaSide),
    1 -
      lowerMean(
        values.map((value) => 1 - value),
        alphaSide,
      ),
  ];
}

function lowerMean(values: readonly number[], alphaSide: number): number {
  if (values.every((value) => value === 0)) return 0;
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return limitWithEvidence((limit) => {
    const wealth = createWealth(limit);
    for (const [value, count] of counts) wealth.add(value, count);
    return wealth.value();
  }, alphaSide);
}

/** What the bets against one limit are worth so far; a value costs 50 additions. */
export interface Wealth {
  add(value: number, count?: number): void;
  /** The wealth now, or after `ahead` more values of 1. */
  value(ahead?: number): number;
}

/** Bets against a fixed limit. */
export function createWealth(limit: number): Wealth {
  const logs = new Float64Array(BETS.length);
  let isInfinite = false;
  const bet = (into: Float64Array, value: number, count: number): boolean => {
    if (limit === 0) return value > 0;
    for (const [j, c] of BETS.entries()) into[j]! += count * Math.log1p(c * (value / limit - 1));
    return false;
  };
  return {
    add: (value, count = 1) => {
      isInfinite = bet(logs, value, count) || isInfinite;
    },
    value: (ahead = 0) => {
      if (isInfinite || ahead === 0) return isInfinite ? Number.POSITIVE_INFINITY : meanOf(logs);
      const then = logs.slice();
      return bet(then, 1, ahead) ? Number.POSITIVE_INFINITY : meanOf(then);
    },
  };
}

/** The mean of the wealth of all bets, whose logarithms are given. */
export function meanOf(logs: Float64Array): number {
  let sum = 0;
  for (const log of logs) sum += Math.exp(log);
  return sum / logs.length;
}
