import { bcaInterval, percentileInterval } from '../../statistics/bootstrap.ts';
import { clusteredDifference } from '../../statistics/cluster-non-inferiority.ts';
import { type ClusterSum, sumByCluster } from '../../statistics/clustered-share.ts';
import { type PairedCounts, pairedScoreInterval } from '../../statistics/paired-score-interval.ts';
import { createRandom } from '../../statistics/random.ts';
import type { DrawOptions } from '../analysis.ts';
import type { EndpointComparison } from './comparison.ts';

/** An interval, or the reason why there is none. */
export type FoundInterval = Pick<EndpointComparison, 'interval' | 'intervalReason'>;

/** The difference on each resample, NaN where it is undefined, and with each unit left out once. */
export interface Replicates {
  readonly values: Float64Array;
  /** Null where a jackknife would take much longer than the resamples. */
  readonly jackknife: { readonly values: Float64Array; readonly weights?: Float64Array } | null;
}

/** No interval, and why. */
export function noInterval(intervalReason: string): FoundInterval {
  return { interval: null, intervalReason };
}

/**
 * The interval of a mean of paired differences, model minus baseline. Shares have Tango's score interval, or the one over clusters where records are clustered or
 * repeated; everything else is resampled, in whole clusters.
 */
export function meanInterval(
  differences: Float64Array,
  options: DrawOptions & {
    /** Whether the means are shares. */
    readonly binary: boolean;
    /** The cluster of each difference; undefined where each is alone. */
    readonly clusterOf: Int32Array | undefined;
    /** Whether a difference may be one of means over repeats. */
    readonly hasRepeats: boolean;
  },
): FoundInterval {
  const { binary, clusterOf, hasRepeats, level, resamples } = options;
  if (differences.length === 0) return noInterval('value_undefined');
  if (binary && clusterOf === undefined && !hasRepeats) {
    const score = pairedScoreInterval(discordance(differences), level)!;
    return { interval: { ...range(score, level), method: 'paired_score' }, intervalReason: null };
  }
  if (binary) {
    // A repeated record is a cluster of one difference.
    const { interval, reason } = clusteredDifference(
      differences,
      clusterOf ?? [...differences.keys()],
      level,
    );
    if (interval !== null)
      return {
        interval: { ...range(interval, level), method: 'paired_score_clustered' },
        intervalReason: null,
      };
    return noInterval(clusterOf === undefined ? 'too_few_records' : reason!);
  }
  const sums = sumByCluster(differences, clusterOf);
  if (sums.length < 2) return noInterval(clusterOf === undefined ? 'too_few_records' : 'too_few_clusters');
  if (resamples === 0) return noInterval('resampling_off');
  const estimate = sums.reduce((total, { sum }) => total + sum, 0) / differences.length;
  return resampledInterval(estimate, meanReplicates(sums, options), level);
}

/** Model minus baseline, counted as pairs: b only the model has right, c only the baseline. */
export function discordance(differences: Float64Array): PairedCounts {
  let b = 0;
  let c = 0;
  for (const difference of differences) {
    if (difference > 0) b += difference;
    else c -= difference;
  }
  return { b, c, n: differences.length };
}

function meanReplicates(units: readonly ClusterSum[], { resamples, seed }: DrawOptions): Replicates {
  const sums = Float64Array.from(units, ({ sum }) => sum);
  const sizes = Float64Array.from(units, ({ n }) => n);
  const random = createRandom(seed, 'pairedBootstrap');
  const values = Float64Array.from({ length: resamples }, () => {
    let sum = 0;
    let n = 0;
    for (let i = 0; i < sums.length; i++) {
      const drawn = random.integer(sums.length);
      sum += sums[drawn]!;
      n += sizes[drawn]!;
    }
    return sum / n;
  });
  const [sum, n] = [sums, sizes].map((all) => all.reduce((total, one) => total + one, 0)) as [number, number];
  return { values, jackknife: { values: sums.map((own, u) => (sum - own) / (n - sizes[u]!)) } };
}

/** The BCa interval of resampled differences; the percentile interval where there is no jackknife, or all replicates are on one side. */
export function resampledInterval(
  estimate: number,
  { values, jackknife }: Replicates,
  level: number,
): FoundInterval {
  const percentile = percentileInterval(values, level);
  if (percentile === null) return noInterval('undefined_in_resamples');
  const defined = values.filter((value) => !Number.isNaN(value));
  if (defined.every((value) => Math.abs(value - defined[0]!) < 1e-12))
    return noInterval('no_variation_in_resamples');
  const corrected =
    jackknife &&
    bcaInterval(
      { estimate, replicates: values, jackknife: jackknife.values, jackknifeWeights: jackknife.weights },
      level,
    );
  if (corrected === null || corrected.z0 === null)
    return { interval: { ...range(percentile, level), method: 'percentile' }, intervalReason: null };
  return { interval: { ...range(corrected.interval, level), method: 'bca' }, intervalReason: null };
}

function range([lower, upper]: readonly [number, number], level: number) {
  return { lower, upper, level };
}
