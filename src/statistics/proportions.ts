import { argumentError } from '../core/errors.ts';
import { assertLevel, betaQuantile, criticalValue } from './special-functions.ts';
import { wilsonWithZ } from './wilson-with-z.ts';

/**
 * Wilson score interval of a proportion x/n:
 * (x + z^2/2 -+ z sqrt(x (n - x)/n + z^2/4)) / (n + z^2).
 *
 * n = 0: null. No successes: the lower bound is exactly 0; n of n: the upper bound is exactly 1. The interval always
 * contains x/n. Throws when x is not between 0 and n. Source: Wilson 1927.
 *
 * @example
 * ```ts
 * wilsonInterval(3, 7) // => [0.15821985525146975, 0.7495416354723428]
 * wilsonInterval(0, 10) // => [0, 0.2775327998628892]
 * wilsonInterval(118, 126, 0.9) // => [0.8908062144816151, 0.9638578275472582]
 * wilsonInterval(0, 0) // => null
 * ```
 */
export function wilsonInterval(successes: number, n: number, level = 0.95): [number, number] | null {
  const z = criticalValue(level);
  if (n !== 0 && !(successes >= 0 && successes <= n))
    throw argumentError(`${successes} successes of ${n}; expected a count between 0 and n`, successes);
  return wilsonWithZ(successes, n, z);
}

/**
 * One-sided exact upper bound (Clopper and Pearson) of a share: the p with P(Bin(n, p) <= errors) = 1 - level, a
 * quantile of the beta distribution.
 *
 * All wrong: 1. n = 0: null. Source: Clopper & Pearson 1934.
 *
 * @example
 * ```ts
 * exactUpperBound(0, 50)!.toFixed(6) // => '0.058155'
 * exactUpperBound(7, 180)!.toFixed(6) // => '0.071801'
 * exactUpperBound(0, 0) // => null
 * ```
 */
export function exactUpperBound(errors: number, n: number, level = 0.95): number | null {
  assertLevel(level);
  if (n === 0) return null;
  if (!(Number.isInteger(errors) && errors >= 0 && errors <= n))
    throw argumentError(`${errors} errors of ${n}; expected a count between 0 and n`, errors);
  if (errors === n) return 1;
  return betaQuantile(level, errors + 1, n - errors);
}

/** Successes and trials of two independent groups. */
interface TwoProportions {
  readonly successesA: number;
  readonly nA: number;
  readonly successesB: number;
  readonly nB: number;
}

/**
 * Difference of two independent proportions with Newcombe's hybrid score interval. With Wilson bounds l, u of each:
 * lower = d - sqrt((pA - lA)^2 + (uB - pB)^2), upper = d + sqrt((uA - pA)^2 + (pB - lB)^2).
 *
 * Null when either group is empty. Not for two models on the same records: those are paired.
 * Source: Newcombe 1998 (his method 10).
 *
 * @example
 * ```ts
 * newcombeDifference({ successesA: 10, nA: 10, successesB: 0, nB: 20 })
 * // => { difference: 1, lower: 0.6790860371419147, upper: 1 }
 * newcombeDifference({ successesA: 1, nA: 2, successesB: 0, nB: 0 }) // => null
 * ```
 */
export function newcombeDifference(groups: TwoProportions, level = 0.95) {
  const { successesA, nA, successesB, nB } = groups;
  const a = wilsonInterval(successesA, nA, level);
  const b = wilsonInterval(successesB, nB, level);
  if (a === null || b === null) return null;
  const shareA = successesA / nA;
  const shareB = successesB / nB;
  const difference = shareA - shareB;
  return {
    difference,
    lower: Math.max(-1, difference - Math.hypot(shareA - a[0], b[1] - shareB)),
    upper: Math.min(1, difference + Math.hypot(a[1] - shareA, shareB - b[0])),
  };
}

/** A share with its limits, and how much of the target population it stands for. */
interface WeightedShare {
  /** Share of the target population, between 0 and 1; the weights of all parts sum to 1. */
  readonly weight: number;
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}

/**
 * A share at another mix of its parts (direct standardisation): sum of weight x value. The interval combines the limits of the parts: with
 * independent parts value - sqrt(sum of (weight (value - lower))^2), and the same upwards (the square-and-add method); with parts that may depend
 * on each other, the weighted sums of the limits, which are never too narrow.
 *
 * Source: Zou & Donner 2008.
 *
 * @example
 * ```ts
 * const parts = [{ weight: 0.1, value: 0.5, lower: 0.3, upper: 0.7 }, { weight: 0.9, value: 0.8, lower: 0.7, upper: 0.9 }];
 * standardisedShare(parts) // => { value: 0.77, lower: 0.6778045554270711, upper: 0.862195444572929 }
 * standardisedShare(parts, { independent: false }).lower // => 0.66
 * ```
 */
export function standardisedShare(
  parts: readonly WeightedShare[],
  { independent = true }: { readonly independent?: boolean } = {},
): { value: number; lower: number; upper: number } {
  const sum = (of: (part: WeightedShare) => number) => parts.reduce((total, part) => total + of(part), 0);
  const combine = (terms: readonly number[]) =>
    independent ? Math.hypot(...terms) : terms.reduce((total, term) => total + term, 0);
  const value = sum((part) => part.weight * part.value);
  const below = combine(parts.map((part) => part.weight * (part.value - part.lower)));
  const above = combine(parts.map((part) => part.weight * (part.upper - part.value)));
  return { value, lower: Math.max(0, value - below), upper: Math.min(1, value + above) };
}
