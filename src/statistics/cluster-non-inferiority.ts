import { argumentError } from '../core/errors.ts';
import { type ClusterSum, sumByCluster } from './clustered-share.ts';
import {
  type NonInferiority,
  nonInferiority,
  pairedScoreLimits,
  pairedScoreStatistic,
} from './paired-score-interval.ts';
import { assertSameLength } from './samples.ts';
import { DEFAULT_LEVEL } from './score-options.ts';
import { assertLevel, studentQuantile, studentTail } from './special-functions.ts';

/** Fewer clusters do not show how much clusters vary. */
export const MIN_CLUSTERS = 10;
/** With fewer clusters in which a pair differs, the design effect is not known from the data alone. */
const DIFFERING_FOR_EFFECT = 8;
/** A sum of squares below this is rounding. */
const ZERO = 1e-12;

/** Why a clustered difference has no interval. */
type NoClusterInterval = 'no_pairs' | 'too_few_clusters' | 'interval_unbounded';

/** The mean of paired differences that come in clusters, with its interval. */
export interface ClusteredDifference {
  /** Null without pairs. */
  readonly difference: number | null;
  readonly n: number;
  readonly nClusters: number;
  readonly interval: readonly [number, number] | null;
  /** By how much clusters raise the variance, at least 1; null where there is no interval. */
  readonly designEffect: number | null;
  /** Why there is no interval. */
  readonly reason: NoClusterInterval | null;
}

/** Whether a candidate is no worse than a reference, where records come in clusters. */
export interface ClusterNonInferiority extends Omit<ClusteredDifference, 'reason'> {
  readonly status: NonInferiority;
  /** T(-margin), the score statistic over clusters. */
  readonly statistic: number | null;
  /** One-sided. */
  readonly p: number | null;
  /** Why it is undecided. */
  readonly reason: NoClusterInterval | 'interval_contains_margin' | null;
}

/**
 * The mean of paired differences d_ij in [-1, 1] of record j in cluster i, with an interval. D_i is the sum and m_i the number of the
 * differences of a cluster, N their number, G the number of clusters, t Student's quantile on G - 1 degrees. Each limit is the outer one
 * of two, within [-1, 1]:
 *
 * - the x at which T(x) = sum (D_i - m_i x) / sqrt(sum (D_i - m_i x)^2) is -+t;
 * - Tango's limits with t for z on b, c and N divided by the design effect, with b and c the sums of positive and of negative differences:
 *   deff = max(G/(G-1) sum (D_i - m_i d)^2 / sum (d_ij - d)^2, 1 + (N/G - 1) max(0, 1 - K/8)), K the clusters in which a pair differs.
 *
 * The first alone is a point where no pair differs; the second alone takes the variance between clusters for known.
 * No interval: without pairs, with fewer than 10 clusters, or where N^2 <= t^2 sum m_i^2 and T never reaches t.
 * Sources: Durkalski 2003, Yang 2012, Tango 1998.
 *
 * @example
 * ```ts
 * const clusters = Array.from({ length: 100 }, (_, i) => i % 25);
 * clusteredDifference(new Float64Array(100), clusters).designEffect // => 4
 * clusteredDifference(new Float64Array(100), clusters).interval.map((limit) => limit.toFixed(3)) // => ['-0.146', '0.146']
 * clusteredDifference([0, 1], ['a', 'b']).reason // => 'too_few_clusters'
 * ```
 */
export function clusteredDifference(
  differences: ArrayLike<number>,
  clusters: ArrayLike<string | number>,
  level = DEFAULT_LEVEL,
): ClusteredDifference {
  return summarise(differences, clusters, level).found;
}

/**
 * Whether a candidate is no worse than a reference by more than a margin, from the paired differences (candidate minus reference, or the
 * reverse where less is better) of records that come in clusters: pass when the lower limit of `clusteredDifference` is above -margin, fail
 * when the upper one is below it, otherwise undecided. p is the chance, on G - 1 degrees, of at least the smaller of T(-margin) and Tango's
 * statistic at -margin.
 *
 * @example
 * ```ts
 * const clusters = Array.from({ length: 400 }, (_, i) => i % 50);
 * clusterNonInferiority(new Float64Array(400), clusters, { margin: 0.1 }).status // => 'pass'
 * clusterNonInferiority(new Float64Array(400), clusters, { margin: 0.02 }).reason // => 'interval_contains_margin'
 * ```
 */
export function clusterNonInferiority(
  differences: ArrayLike<number>,
  clusters: ArrayLike<string | number>,
  { margin, level = DEFAULT_LEVEL }: { readonly margin: number; readonly level?: number },
): ClusterNonInferiority {
  const { found, sums, effective } = summarise(differences, clusters, level);
  const { interval, reason } = found;
  if (interval === null) return { ...found, status: 'undecided', statistic: null, p: null, reason };
  const status = nonInferiority(interval, margin);
  const statistic = clusterStatistic(sums, -margin);
  const smaller = Math.min(statistic, pairedScoreStatistic(effective!, -margin));
  return {
    ...found,
    status,
    statistic,
    p: studentTail(smaller, sums.length - 1),
    reason: status === 'undecided' ? 'interval_contains_margin' : null,
  };
}

/** `effective` are the pairs divided by the design effect; null where there is no interval. */
function summarise(differences: ArrayLike<number>, clusters: ArrayLike<string | number>, level: number) {
  assertLevel(level);
  assertSameLength({ differences, clusters });
  const n = differences.length;
  let [total, b, c] = [0, 0, 0];
  const differing = new Set<string | number>();
  for (let i = 0; i < n; i++) {
    const own = differences[i]!;
    if (!(own >= -1 && own <= 1))
      throw argumentError(`difference ${i} is ${own}; expected a number between -1 and 1`, own);
    total += own;
    if (own > 0) b += own;
    else c -= own;
    if (own !== 0) differing.add(clusters[i]!);
  }
  const sums = sumByCluster(differences, clusters);
  const nClusters = sums.length;
  const difference = n === 0 ? null : total / n;
  const none = (reason: NoClusterInterval) => ({
    found: { difference, n, nClusters, interval: null, designEffect: null, reason },
    sums,
    effective: null,
  });
  if (difference === null) return none('no_pairs');
  if (nClusters < MIN_CLUSTERS) return none('too_few_clusters');
  const t = studentQuantile((1 + level) / 2, nClusters - 1);
  // Around the mean, where nothing cancels: e = D - m d, y = x - d.
  let [squares, sizes, mixed] = [0, 0, 0];
  for (const { sum, n: size } of sums) {
    const rest = sum - size * difference;
    squares += rest * rest;
    sizes += size * size;
    mixed += size * rest;
  }
  // (N^2 - t^2 sum m^2) y^2 + 2 t^2 sum(m e) y - t^2 sum e^2 = 0
  const leading = n * n - t * t * sizes;
  if (leading <= 0) return none('interval_unbounded');
  const middle = difference - (t * t * mixed) / leading;
  const half = (t * Math.sqrt(t * t * mixed * mixed + leading * squares)) / leading;
  let spread = 0;
  for (let i = 0; i < n; i++) spread += (differences[i]! - difference) ** 2;
  const observed = spread < ZERO ? 0 : ((nClusters / (nClusters - 1)) * squares) / spread;
  const assumed = 1 + (n / nClusters - 1) * Math.max(0, 1 - differing.size / DIFFERING_FOR_EFFECT);
  const designEffect = Math.max(observed, assumed);
  const effective = { b: b / designEffect, c: c / designEffect, n: n / designEffect };
  const [lower, upper] = pairedScoreLimits(effective, t)!;
  const interval = [
    Math.max(-1, Math.min(lower, middle - half)),
    Math.min(1, Math.max(upper, middle + half)),
  ] as const;
  return { found: { difference, n, nClusters, interval, designEffect, reason: null }, sums, effective };
}

/** T(x); 0 where every cluster has exactly x, which is evidence for neither side. */
function clusterStatistic(sums: readonly ClusterSum[], x: number): number {
  let [total, squares] = [0, 0];
  for (const { sum, n } of sums) {
    const rest = sum - n * x;
    total += rest;
    squares += rest * rest;
  }
  return squares < ZERO * ZERO ? 0 : total / Math.sqrt(squares);
}
