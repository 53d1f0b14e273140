import { z } from 'zod';
import type { Shape } from '../core/codec.ts';
import { argumentError } from '../core/errors.ts';
import { createRandom } from './random.ts';

/** Up to this many differences all 2^n signs are tried: a million sums, a few milliseconds. */
const MAX_EXACT_SIGN_FLIPS = 20;

/** Sums closer than this, relative to sum |d|, are the same sum up to rounding. */
const TIE = 1e-12;

export interface SignFlipOptions {
  /** Random sign patterns of the Monte Carlo test. Default: 10,000. */
  readonly resamples?: number;
  /** Seed of the random numbers. Default: 0. */
  readonly seed?: number;
}

export const signFlipResultSchema = z.object({
  p: z.number(),
  method: z.enum(['exact', 'monte_carlo']),
  /** How many random sign patterns were drawn; null when all were tried. */
  resamples: z.number().nullable(),
});

/**
 * Sign-flip permutation test of paired differences, two-sided: if the signs were random, how often would |sum|
 * be at least as large as observed? Exact when 20 differences or fewer are not zero, Monte Carlo otherwise.
 *
 * No differences: null. All zero: p = 1. Source: Fisher 1935; Phipson & Smyth 2010.
 *
 * @example
 * ```ts
 * signFlipTest([1, 1, 1, 0]) // => { p: 0.25, method: 'exact', resamples: null }
 * signFlipTest([]) // => null
 * ```
 */
export function signFlipTest(
  differences: ArrayLike<number>,
  options: SignFlipOptions = {},
): Shape<typeof signFlipResultSchema> | null {
  if (differences.length === 0) return null;
  if (observe(differences).d.length <= MAX_EXACT_SIGN_FLIPS) {
    return { p: signFlipExact(differences)!, method: 'exact', resamples: null };
  }
  const { resamples = 10_000 } = options;
  return { p: signFlipMonteCarlo(differences, options)!, method: 'monte_carlo', resamples };
}

/**
 * The share of all 2^n sign patterns with |sum| >= |observed sum|; ties within 1e-12 of sum |d| count.
 *
 * Zero differences belong to the test but change no sum, so only the others are enumerated; more than 20 of those
 * throws. No differences: null.
 *
 * @example
 * ```ts
 * signFlipExact([0.2, -0.05, 0.1, 0.45, 0]) // => 0.25
 * signFlipExact([0, 0, 0]) // => 1
 * signFlipExact([]) // => null
 * ```
 */
export function signFlipExact(differences: ArrayLike<number>): number | null {
  if (differences.length === 0) return null;
  const { d, sum, atLeast } = observe(differences);
  if (d.length > MAX_EXACT_SIGN_FLIPS) {
    throw argumentError(
      `${d.length} differences have 2^${d.length} sign patterns; use signFlipMonteCarlo`,
      d.length,
    );
  }
  if (d.length === 0) return 1;
  // A pattern and its mirror image have the same |sum|: the first sign stays, and half of the patterns are enough.
  const sums = new Float64Array(2 ** (d.length - 1));
  sums[0] = sum;
  for (let i = 1, filled = 1; i < d.length; i++, filled *= 2) {
    for (let j = 0; j < filled; j++) sums[filled + j] = sums[j]! - 2 * d[i]!;
  }
  let asExtreme = 0;
  for (const other of sums) if (Math.abs(other) >= atLeast) asExtreme += 1;
  return asExtreme / sums.length;
}

/**
 * The same p-value from random sign patterns: (1 + k) / (1 + B), k of B at least as extreme as observed.
 *
 * @example
 * ```ts
 * signFlipMonteCarlo([0, 0], { resamples: 99, seed: 1 }) // => 1
 * signFlipMonteCarlo([], { resamples: 99, seed: 1 }) // => null
 * ```
 */
export function signFlipMonteCarlo(
  differences: ArrayLike<number>,
  { resamples = 10_000, seed = 0 }: SignFlipOptions = {},
): number | null {
  if (differences.length === 0) return null;
  const { d, sum, atLeast } = observe(differences);
  const random = createRandom(seed, 'signFlip');
  let asExtreme = 0;
  for (let b = 0; b < resamples; b++) {
    let kept = 0;
    for (let i = 0, bits = 0; i < d.length; i++, bits >>>= 1) {
      if (i % 32 === 0) bits = random.integer(2 ** 32);
      // Multiplied, not branched on: no branch predictor can foresee a random bit.
      kept += (bits & 1) * d[i]!;
    }
    // The kept signs add `kept`, the flipped ones subtract the rest.
    if (Math.abs(2 * kept - sum) >= atLeast) asExtreme += 1;
  }
  return monteCarloPValue(asExtreme, resamples);
}

/**
 * (1 + k) / (1 + B): the observed pattern counts as one of the patterns, so that p is never 0.
 * Source: Phipson & Smyth 2010.
 *
 * @example
 * ```ts
 * monteCarloPValue(12, 999) // => 0.013
 * monteCarloPValue(0, 999) // => 0.001
 * ```
 */
export function monteCarloPValue(nAsExtreme: number, nResamples: number): number {
  return (1 + nAsExtreme) / (1 + nResamples);
}

/** The differences that are not zero, their sum, and the least |sum| that counts as extreme. */
function observe(differences: ArrayLike<number>): { d: Float64Array; sum: number; atLeast: number } {
  const d = Float64Array.from(differences).filter((difference) => difference !== 0);
  let sum = 0;
  let size = 0;
  for (const difference of d) {
    sum += difference;
    size += Math.abs(difference);
  }
  if (!Number.isFinite(size))
    throw argumentError('a paired difference is not a finite number; leave such pairs out', size);
  return { d, sum, atLeast: Math.abs(sum) - TIE * size };
}
