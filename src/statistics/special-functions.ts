import * as cephes from 'cephes';
import { argumentError } from '../core/errors.ts';

await cephes.compiled;

/**
 * Cumulative distribution function of the standard normal, Phi(x) = P(Z <= x).
 *
 * Relative error stays near 1e-13 in the tail down to about x = -26; below that the result is 0.
 * Source: Cephes (Moshier), compiled to WebAssembly.
 *
 * @example
 * ```ts
 * normalCdf(0) // => 0.5
 * normalCdf(1.96) // => 0.9750021048517795
 * normalCdf(-Infinity) // => 0
 * ```
 */
export function normalCdf(x: number): number {
  if (x === Infinity) return 1;
  if (x === -Infinity) return 0;
  return cephes.ndtr(x);
}

/**
 * Quantile of the standard normal: the x with Phi(x) = p. Throws when p is outside [0, 1].
 *
 * Source: Cephes (Moshier), compiled to WebAssembly.
 *
 * @example
 * ```ts
 * normalQuantile(0.975) // => 1.959963984540054
 * normalQuantile(0.5) // => 0
 * normalQuantile(0) // => -Infinity
 * normalQuantile(1) // => Infinity
 * ```
 */
export function normalQuantile(p: number): number {
  if (!(p >= 0 && p <= 1)) {
    throw argumentError(`normal quantile of ${p}; expected a probability between 0 and 1`, p);
  }
  if (p === 0) return -Infinity;
  if (p === 1) return Infinity;
  return cephes.ndtri(p);
}

/**
 * P(X <= k) for X ~ Binomial(n, p). k below 0 gives 0, k of n or more gives 1.
 *
 * The terms are summed outwards from the most likely count by their ratio, t(i+1)/t(i) = (n-i)/(i+1) * p/(1-p), and
 * divided by the sum of all of them. All terms are positive, so nothing cancels: the error is below 1e-13 for n up to
 * a million. (The incomplete beta function that libraries offer for this, Cephes' too, loses 4e-13 at n = 1000
 * and 8e-11 at n = 100 000, too much for an exact test.)
 *
 * @example
 * ```ts
 * binomialCdf(1, 10, 0.5) // => 0.0107421875
 * binomialCdf(3, 10, 0.3) // => 0.6496107184
 * binomialCdf(-1, 5, 0.5) // => 0
 * binomialCdf(0, 0, 0.5) // => 1
 * ```
 */
export function binomialCdf(k: number, n: number, p: number): number {
  if (!(p >= 0 && p <= 1)) throw argumentError(`binomial probability is ${p}; expected 0 to 1`, p);
  if (!(Number.isInteger(n) && n >= 0)) {
    throw argumentError(`binomial count is ${n}; expected a whole number of trials`, n);
  }
  if (k < 0) return 0;
  if (k >= n || p === 0) return 1;
  if (p === 1) return 0;

  const mode = Math.min(n, Math.floor((n + 1) * p));
  const odds = p / (1 - p);
  let upToK = 0;
  let total = 0;
  // A term of 0 has underflowed, and so have all terms further out.
  for (let i = mode, term = 1; i >= 0 && term > 0; i--) {
    total += term;
    if (i <= k) upToK += term;
    term *= i / ((n - i + 1) * odds);
  }
  for (let i = mode + 1, term = 1; i <= n; i++) {
    term *= ((n - i + 1) * odds) / i;
    if (term === 0) break;
    total += term;
    if (i <= k) upToK += term;
  }
  return upToK / total;
}

/**
 * Quantile of the beta distribution: the x with I_x(a, b) = p. Agrees with bisection on exact binomial sums to 1e-12 for a + b up to a million.
 *
 * Source: Cephes (Moshier), compiled to WebAssembly.
 *
 * @example
 * ```ts
 * betaQuantile(0.5, 2, 2).toFixed(9) // => '0.500000000'
 * ```
 */
export function betaQuantile(p: number, a: number, b: number): number {
  return cephes.incbi(a, b, p);
}

/**
 * Quantile of Student's t: the x with P(T <= x) = p, for a number of degrees above 0.
 *
 * @example
 * ```ts
 * studentQuantile(0.975, 4).toFixed(9) // => '2.776445105'
 * ```
 */
export function studentQuantile(p: number, degrees: number): number {
  if (p === 0.5) return 0;
  const tail = Math.min(p, 1 - p);
  const x = cephes.incbi(degrees / 2, 0.5, 2 * tail);
  const t = Math.sqrt((degrees * (1 - x)) / x);
  return p < 0.5 ? -t : t;
}

/**
 * P(T > t) of Student's t.
 *
 * @example
 * ```ts
 * studentTail(2.776445105, 4).toFixed(6) // => '0.025000'
 * ```
 */
export function studentTail(t: number, degrees: number): number {
  const outer = cephes.incbet(degrees / 2, 0.5, degrees / (degrees + t * t)) / 2;
  return t >= 0 ? outer : 1 - outer;
}

/**
 * P(X > x) of the chi-squared distribution.
 *
 * @example
 * ```ts
 * chiSquaredTail(3.841458821, 1).toFixed(6) // => '0.050000'
 * ```
 */
export function chiSquaredTail(x: number, degrees: number): number {
  return x <= 0 ? 1 : cephes.chdtrc(degrees, x);
}

/** Smaller values are cached: a bootstrap asks for the same ones millions of times. */
const factorials = new Float64Array(2 ** 16).fill(Number.NaN);

/**
 * log k!, for a whole number k >= 0.
 *
 * Source: Cephes (Moshier), compiled to WebAssembly.
 *
 * @example
 * ```ts
 * Math.exp(logFactorial(4)).toFixed(9) // => '24.000000000'
 * ```
 */
export function logFactorial(k: number): number {
  if (k >= factorials.length) return cephes.lgam(k + 1);
  if (Number.isNaN(factorials[k]!)) factorials[k] = cephes.lgam(k + 1);
  return factorials[k]!;
}

/**
 * The z of a two-sided interval: Phi^-1((1 + level) / 2). Throws when the level is not between 0 and 1, which
 * catches a level written as 95.
 *
 * @example
 * ```ts
 * criticalValue(0.95) // => 1.959963984540054
 * criticalValue(0.9) // => 1.6448536269514722
 * ```
 */
export function criticalValue(level: number): number {
  assertLevel(level);
  return normalQuantile((1 + level) / 2);
}

/** Throws unless 0 < level < 1. */
export function assertLevel(level: number): void {
  if (!(level > 0 && level < 1)) {
    throw argumentError(
      `confidence level is ${level}; expected a number between 0 and 1, such as 0.95`,
      level,
    );
  }
}
