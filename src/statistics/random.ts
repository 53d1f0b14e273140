import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';
import { argumentError } from '../core/errors.ts';
import { logFactorial } from './special-functions.ts';

/** A seeded source of random numbers. `generator` is its name, reported beside the seed. */
export interface Random {
  readonly generator: 'xoroshiro128plus';
  /** A whole number in [0, below), each equally likely. */
  integer(below: number): number;
  /** A number in [0, 1) with 53 random bits. */
  float(): number;
}

/**
 * Every purpose that draws random numbers, with its stream. No two purposes share one: their draws would depend on each
 * other. Streams of suites never change, because hashes of suites are pinned.
 */
export const RANDOM_STREAMS = {
  bootstrap: 0,
  pairedBootstrap: 1,
  signFlip: 2,
  nullBand: 3,
  judgeItemOrder: 4,
  permutation: 5,
  thresholdSplit: 6,
  thresholdCalibration: 7,
  thresholdEvaluation: 8,
  oneOfCluster: 9,
  sourceSplit: 10,
  judgeAgreement: 11,
  rankIntervals: 12,
  varianceSplit: 13,
  suiteSplit: 16,
  suiteOrder: 17,
  ckdImputation: 18,
  ckdLearnedRows: 19,
  ckdPatients: 20,
  ckdMissing: 21,
  ckdDangerous: 22,
  sourceDifference: 23,
  randomLabel: 24,
  sourceOneOfCluster: 25,
  sourceCoverage: 26,
  aggregateTrait: 33,
  questionMean: 34,
  itemScore: 35,
  people: 40,
  diabetesDiagnosis: 41,
  diabetesControl: 42,
  diabetesTrend: 43,
  diabetesFile: 44,
  hypertensionAdults: 50,
  hypertensionDualSetting: 51,
  hypertensionTreated: 52,
  hypertensionFile: 59,
  reviewPlan: 60,
} as const;

/** The name of a stream. */
export type RandomPurpose = keyof typeof RANDOM_STREAMS;

/**
 * The one generator of the project. The same seed and stream give the same numbers on every machine; different streams
 * of one seed are 2^64 draws apart, so that two purposes never share numbers.
 *
 * Stream k is the generator after k + 1 jumps. The first jump is there because the first number of a fresh
 * xoroshiro128plus is the seed itself with its bits reversed: small seeds would all begin alike.
 * The seed is a whole number, taken modulo 2^32. Source: Blackman & Vigna 2018 (package pure-rand);
 * Lemire 2019 for whole numbers.
 *
 * @example
 * ```ts
 * createRandom(42).integer(1000) // => 442
 * createRandom(42, 'pairedBootstrap').integer(1000) // => 968
 * createRandom(42).float() // => 0.32010955279849107
 * ```
 */
export function createRandom(seed: number, purpose: RandomPurpose = 'bootstrap'): Random {
  if (!Number.isInteger(seed)) throw argumentError(`seed is ${seed}; expected a whole number`, seed);
  const source = xoroshiro128plus(seed);
  for (let jumps = 0; jumps <= RANDOM_STREAMS[purpose]; jumps++) source.jump();
  return {
    generator: 'xoroshiro128plus',
    integer: (below) => integerBelow(source, below),
    float: () => uniformFloat64(source),
  };
}

/**
 * Lemire's multiplication instead of pure-rand's remainder: equally exact, and a bootstrap, which draws millions, takes
 * less than half the time. With bounds to 2^21 the product of 32 random bits and the bound is exact in a double.
 */
function integerBelow(source: RandomGenerator, below: number): number {
  if (!(below >= 1)) throw argumentError(`cannot draw a whole number below ${below}`, below);
  if (below > 2 ** 21) return uniformInt(source, 0, below - 1);
  for (;;) {
    const product = (source.next() >>> 0) * below;
    const value = Math.floor(product / 2 ** 32);
    const rest = product - value * 2 ** 32;
    // The first (2^32 mod below) remainders would make some values likelier than others: draw again.
    if (rest >= below || rest >= 2 ** 32 % below) return value;
  }
}

/**
 * Puts the array in random order, in place, and returns it. Every order is equally likely (Fisher-Yates).
 *
 * @example
 * ```ts
 * shuffle(createRandom(42), ['a', 'b', 'c', 'd']) // => ['a', 'c', 'd', 'b']
 * shuffle(createRandom(42), []) // => []
 * ```
 */
export function shuffle<T>(random: Random, array: T[]): T[] {
  for (let last = array.length - 1; last > 0; last--) {
    const chosen = random.integer(last + 1);
    const value = array[last]!;
    array[last] = array[chosen]!;
    array[chosen] = value;
  }
  return array;
}

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
