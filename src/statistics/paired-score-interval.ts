import { argumentError } from '../core/errors.ts';
import type { DiscordantPairs } from './mcnemar.ts';
import { criticalValue } from './special-functions.ts';

/**
 * Discordant pairs among `n`: b only the first is right, c only the second. A record asked several times counts by the difference of its
 * two means, so b and c may be fractions.
 */
export interface PairedCounts extends DiscordantPairs {
  readonly n: number;
}

const PRECISION = 1e-12;

/**
 * Tango's score interval of a paired difference of shares, (b - c) / n: the d that solve
 * (b - c - n d) / sqrt(n (2 q + d (1 - d))) = -+z, where q is the constrained maximum-likelihood share of pairs that only
 * the second has right: q = (sqrt(B^2 - 4 A C) - B) / (2 A), A = 2 n, B = -b - c + (2 n - b + c) d, C = -c d (1 - d).
 *
 * n = 0: null. Without discordant pairs the interval still has a width, +-z^2 / (n + z^2), which a bootstrap lacks. An
 * estimate of -1 or 1 is its own limit. Throws when b or c is negative or b + c exceeds n. Source: Tango 1998.
 *
 * @example
 * ```ts
 * pairedScoreInterval({ b: 5, c: 3, n: 100 })!.map((limit) => limit.toFixed(4)) // => ['-0.0425', '0.0868']
 * pairedScoreInterval({ b: 0, c: 0, n: 2 })!.map((limit) => limit.toFixed(4)) // => ['-0.6576', '0.6576']
 * pairedScoreInterval({ b: 0, c: 0, n: 0 }) // => null
 * ```
 */
export function pairedScoreInterval(pairs: PairedCounts, level = 0.95): [number, number] | null {
  return pairedScoreLimits(pairs, criticalValue(level));
}

/** The same for a deviate z of its own: Student's t where pairs come in clusters. */
export function pairedScoreLimits({ b, c, n }: PairedCounts, z: number): [number, number] | null {
  // Sums of halves and thirds may exceed n by rounding.
  if (!(b >= 0 && c >= 0 && n >= 0 && b + c <= n * (1 + 1e-9)))
    throw argumentError(
      `${b} and ${c} discordant pairs of ${n}; expected counts of at least 0 that sum to at most n`,
      {
        b,
        c,
        n,
      },
    );
  if (n === 0) return null;
  const estimate = Math.min(1, Math.max(-1, (b - c) / n));
  const lower = estimate === -1 ? -1 : -limit({ b: c, c: b, n }, -estimate, z);
  const upper = estimate === 1 ? 1 : limit({ b, c, n }, estimate, z);
  return [lower, upper];
}

/** The upper limit. The lower one is the upper limit of the exchanged pair with its sign turned, so that exchanging the models turns the interval exactly. */
function limit(pairs: PairedCounts, estimate: number, z: number): number {
  let low = estimate;
  let high = 1;
  while (high - low > PRECISION) {
    const middle = (low + high) / 2;
    if (pairedScoreStatistic(pairs, middle) > -z) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Tango's score statistic at a difference d; it falls as d grows. */
export function pairedScoreStatistic({ b, c, n }: PairedCounts, d: number): number {
  const B = -b - c + (2 * n - b + c) * d;
  const C = -c * d * (1 - d);
  const root = Math.sqrt(Math.max(0, B * B - 8 * n * C));
  // Both forms are the same number; this choice cancels nothing.
  const q = B > 0 ? (-2 * C) / (root + B) : (root - B) / (4 * n);
  const difference = b - c - n * d;
  return difference === 0 ? 0 : difference / Math.sqrt(Math.max(0, n * (2 * q + d * (1 - d))));
}

/** `pass`: not worse by more than the margin. `fail`: worse by more than it. `undecided`: the interval includes the margin. */
export type NonInferiority = 'pass' | 'fail' | 'undecided';

/**
 * Whether an interval of candidate minus reference shows that the candidate is not worse by more than a margin: pass when
 * lower > -margin, fail when upper < -margin, otherwise undecided.
 *
 * @example
 * ```ts
 * nonInferiority(pairedScoreInterval({ b: 0, c: 0, n: 400 })!, 0.02) // => 'pass'
 * nonInferiority(pairedScoreInterval({ b: 0, c: 0, n: 2 })!, 0.02) // => 'undecided'
 * nonInferiority(pairedScoreInterval({ b: 1, c: 30, n: 200 })!, 0.02) // => 'fail'
 * ```
 */
export function nonInferiority(
  [lower, upper]: readonly [lower: number, upper: number],
  margin: number,
): NonInferiority {
  if (!(margin >= 0 && Number.isFinite(margin)))
    throw argumentError(`the margin is ${margin}; expected a number of at least 0, such as 0.02`, margin);
  if (lower > -margin) return 'pass';
  return upper < -margin ? 'fail' : 'undecided';
}
