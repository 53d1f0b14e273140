import { pairedDifferences } from './bootstrap-replicates.ts';
import { percentileInterval } from './percentile-interval.ts';
import { createRandom, RANDOM_STREAMS, type Random } from './random.ts';
import { mean } from './sample-statistics.ts';

export interface PairedBootstrapOptions {
  readonly resamples?: number;
  readonly seed?: number;
  readonly level?: number;
}

/** Mean of A minus mean of B, its interval, and what is needed to reproduce the resamples. */
export interface PairedBootstrap extends Required<PairedBootstrapOptions> {
  readonly difference: number;
  readonly interval: [number, number] | null;
  readonly generator: Random['generator'];
}

/**
 * Percentile bootstrap interval for the difference of two models' mean scores on the same records. Records are drawn with
 * replacement, and each brings the scores of both models.
 *
 * No records: null. Two models with equal scores everywhere: [0, 0]. Source: Efron & Tibshirani 1993.
 *
 * @example
 * ```ts
 * pairedBootstrap([1, 1, 0, 1], [1, 1, 0, 1], { resamples: 100, seed: 7 })?.interval // => [0, 0]
 * pairedBootstrap([1, 1, 0, 1], [0, 0, 0, 1], { seed: 7 })?.difference // => 0.5
 * pairedBootstrap([], []) // => null
 * ```
 */
export function pairedBootstrap(
  scoresA: ArrayLike<number>,
  scoresB: ArrayLike<number>,
  { resamples = 10_000, seed = 0, level = 0.95 }: PairedBootstrapOptions = {},
): PairedBootstrap | null {
  const differences = pairedDifferences(scoresA, scoresB);
  const difference = mean(differences);
  if (difference === null) return null;
  const n = differences.length;
  const random = createRandom(seed, RANDOM_STREAMS.pairedBootstrap);
  const replicates = new Float64Array(resamples);
  for (let b = 0; b < resamples; b++) {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += differences[random.integer(n)]!;
    replicates[b] = sum / n;
  }
  const interval = percentileInterval(replicates, level);
  return { difference, interval, level, resamples, seed, generator: random.generator };
}
