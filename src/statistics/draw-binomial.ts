import type { Random } from './random.ts';
import { logFactorial } from './special-functions.ts';

/** Below this many expected successes, inversion from 0 upwards is fastest, and the rejection method is not valid. */
const FEW = 10;

/**
 * Draws the number of successes in n trials, in time that does not grow with n. Exact up to the rounding of doubles. Source: Hoermann 1993, The generation of binomial random variates (BTRS);
 * inversion for small means.
 */
export function drawBinomial(n: number, p: number, random: Random): number {
  if (n === 0 || p <= 0) return 0;
  if (p >= 1) return n;
  if (p > 0.5) return n - drawBinomial(n, 1 - p, random);
  return n * p < FEW ? byInversion(n, p, random) : byRejection(n, p, random);
}

function byInversion(n: number, p: number, random: Random): number {
  const odds = p / (1 - p);
  let term = (1 - p) ** n;
  let left = random.float();
  let k = 0;
  while (left >= term && k < n) {
    left -= term;
    term *= ((n - k) / (k + 1)) * odds;
    k += 1;
  }
  return k;
}

function byRejection(n: number, p: number, random: Random): number {
  const q = 1 - p;
  const sd = Math.sqrt(n * p * q);
  const b = 1.15 + 2.53 * sd;
  const a = -0.0873 + 0.0248 * b + 0.01 * p;
  const squeeze = 0.92 - 4.2 / b;
  for (;;) {
    const u = random.float() - 0.5;
    const v = random.float();
    const us = 0.5 - Math.abs(u);
    const k = Math.floor(((2 * a) / us + b) * u + n * p + 0.5);
    // Most draws end here, without a logarithm.
    if (us >= 0.07 && v <= squeeze) return k;
    if (k < 0 || k > n) continue;
    const mode = Math.floor((n + 1) * p);
    const scaled = (v * (2.83 + 5.1 / b) * sd) / (a / (us * us) + b);
    const share =
      logFactorial(mode) -
      logFactorial(k) +
      logFactorial(n - mode) -
      logFactorial(n - k) +
      (k - mode) * Math.log(p / q);
    if (Math.log(scaled) <= share) return k;
  }
}

/**
 * Draws how often each kind comes up in n draws, where kind i has the share `times[i]` of all: the counts of n single draws, without making them.
 */
export function drawMultinomial(counts: Uint32Array, times: Uint32Array, n: number, random: Random): void {
  let draws = n;
  let rest = 0;
  for (let i = 0; i < times.length; i++) rest += times[i]!;
  for (let i = 0; i < times.length; i++) {
    const drawn = drawBinomial(draws, times[i]! / rest, random);
    counts[i] = drawn;
    draws -= drawn;
    rest -= times[i]!;
  }
}
