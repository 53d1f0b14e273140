import { argumentError } from '../core/index.ts';
import { assertLevel } from './critical-value.ts';
import { betaQuantile } from './special-functions.ts';

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
