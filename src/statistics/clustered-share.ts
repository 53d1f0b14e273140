import { argumentError } from '../core/errors.ts';
import { bcaInterval } from './bootstrap.ts';
import { wilsonInterval } from './proportions.ts';
import { createRandom } from './random.ts';
import { assertSameLength, mean } from './samples.ts';
import { DEFAULT_LEVEL, DEFAULT_SEED, defaultResamples } from './score-options.ts';
import { assertLevel, studentQuantile } from './special-functions.ts';
import { wilsonWithZ } from './wilson-with-z.ts';

/** With fewer clusters the bootstrap covers too little, so the formula is used. */
const MIN_BOOTSTRAP_CLUSTERS = 50;
/** The same where fewer clusters have a success, or a failure. */
const MIN_BOOTSTRAP_VARYING = 10;
/** With fewer clusters that vary, the design effect is not known from the data alone. */
const VARYING_FOR_EFFECT = 5;

const NO_INTERVAL = { interval: null, method: null, designEffect: null, nEffective: null } as const;

/** A share of rows that come in clusters. */
export interface ShareOfClusters {
  /** Null without rows. */
  readonly value: number | null;
  readonly n: number;
  readonly nClusters: number;
  /** Null where `reason` says why, and where `method` is `bca`: the caller resamples. */
  readonly interval: readonly [number, number] | null;
  /** `wilson`: one row per cluster. `wilson_effective_t`: Wilson's formula on n / design effect rows with Student's t. `bca`: bootstrap over clusters. */
  readonly method: 'wilson' | 'wilson_effective_t' | 'bca' | null;
  /** At least 1; null where there is no interval. */
  readonly designEffect: number | null;
  /** n / design effect. */
  readonly nEffective: number | null;
  /** Why there is no interval: `no_rows` or `one_cluster`. */
  readonly reason: 'no_rows' | 'one_cluster' | null;
}

/**
 * A share of rows that come in clusters, from the successes (`sum`) and rows (`n`) of each cluster. With p = x/n, G clusters, x_i of m_i
 * in cluster i, and K the smaller of the numbers of clusters with a success and with a failure, the interval is Wilson's on n / deff rows
 * with Student's t on G - 1 degrees:
 *
 * deff = max(G/(G-1) sum (x_i - m_i p)^2 / (n p (1-p)), 1 + (n/G - 1) max(0, 1 - K/5)); a first term without variation is 0.
 *
 * The second term counts clusters instead of rows where all agree, and fades as clusters vary: a few clusters that happen to vary little
 * do not show that rows are independent. From 50 clusters and K = 10 on, the clusters are resampled instead.
 *
 * @example
 * ```ts
 * const clusters = Array.from({ length: 13 }, () => ({ sum: 4, n: 4 }));
 * shareOfClusters(clusters).nEffective // => 13
 * shareOfClusters([{ sum: 1, n: 4 }]).reason // => 'one_cluster'
 * ```
 */
export function shareOfClusters(clusters: readonly ClusterSum[], level = DEFAULT_LEVEL): ShareOfClusters {
  assertLevel(level);
  let [x, n, withSuccess, withFailure] = [0, 0, 0, 0];
  for (const { sum, n: rows } of clusters) {
    x += sum;
    n += rows;
    if (sum > 0) withSuccess += 1;
    if (sum < rows) withFailure += 1;
  }
  const nClusters = clusters.length;
  if (nClusters === n) return independentShare(x, n, level);
  const about = { value: x / n, n, nClusters };
  if (nClusters === 1) return { ...about, ...NO_INTERVAL, reason: 'one_cluster' };
  const share = x / n;
  const nVarying = Math.min(withSuccess, withFailure);
  const squares = clusters.reduce((sum, own) => sum + (own.sum - own.n * share) ** 2, 0);
  const independent = n * share * (1 - share);
  const observed = independent === 0 ? 0 : ((nClusters / (nClusters - 1)) * squares) / independent;
  const assumed = 1 + (n / nClusters - 1) * Math.max(0, 1 - nVarying / VARYING_FOR_EFFECT);
  const designEffect = Math.max(observed, assumed);
  const nEffective = n / designEffect;
  const found = { ...about, designEffect, nEffective, reason: null };
  if (nClusters >= MIN_BOOTSTRAP_CLUSTERS && nVarying >= MIN_BOOTSTRAP_VARYING)
    return { ...found, interval: null, method: 'bca' };
  const t = studentQuantile((1 + level) / 2, nClusters - 1);
  return {
    ...found,
    interval: wilsonWithZ(share * nEffective, nEffective, t)!,
    method: 'wilson_effective_t',
  };
}

/** The same where every row is a cluster of its own: Wilson's interval. */
export function independentShare(successes: number, n: number, level = DEFAULT_LEVEL): ShareOfClusters {
  if (n === 0) return { value: null, n, nClusters: 0, ...NO_INTERVAL, reason: 'no_rows' };
  return {
    value: successes / n,
    n,
    nClusters: n,
    interval: wilsonInterval(successes, n, level)!,
    method: 'wilson',
    designEffect: 1,
    nEffective: n,
    reason: null,
  };
}

/**
 * The same from single rows of 0 and 1 and the cluster of each, resampled where `shareOfClusters` leaves that to its caller.
 *
 * @example
 * ```ts
 * const { interval, method } = clusteredShare([1, 1, 1, 0, 1, 1], ['a', 'a', 'b', 'b', 'c', 'c']);
 * [method, interval.map((limit) => limit.toFixed(3))] // => ['wilson_effective_t', ['0.106', '0.995']]
 * clusteredShare([], []).reason // => 'no_rows'
 * ```
 */
export function clusteredShare(
  values: ArrayLike<number>,
  clusters: ArrayLike<string | number>,
  level = DEFAULT_LEVEL,
): ShareOfClusters {
  assertSameLength({ values, clusters });
  for (let i = 0; i < values.length; i++)
    if (values[i] !== 0 && values[i] !== 1)
      throw argumentError(`row ${i} of a share is ${values[i]}; expected 0 or 1`, values[i]);
  const sums = sumByCluster(values, clusters);
  const share = shareOfClusters(sums, level);
  return share.method === 'bca' ? { ...share, interval: resampledShare(sums, level) } : share;
}

/** BCa over clusters. At least ten clusters have a success and ten a failure, so that resamples vary and lie on both sides. */
function resampledShare(clusters: readonly ClusterSum[], level: number): readonly [number, number] {
  const [x, n] = clusters.reduce(([sum, rows], own) => [sum + own.sum, rows + own.n], [0, 0]);
  const random = createRandom(DEFAULT_SEED, 'bootstrap');
  const replicates = Float64Array.from({ length: defaultResamples(n) }, () => {
    let [sum, rows] = [0, 0];
    for (let i = 0; i < clusters.length; i++) {
      const drawn = clusters[random.integer(clusters.length)]!;
      sum += drawn.sum;
      rows += drawn.n;
    }
    return sum / rows;
  });
  const jackknife = Float64Array.from(clusters, (own) => (x - own.sum) / (n - own.n));
  return bcaInterval({ estimate: x / n, replicates, jackknife }, level)!.interval;
}

/** The sum of a cluster's values, and how many there are. */
export interface ClusterSum {
  readonly sum: number;
  readonly n: number;
}

/**
 * The sum and the number of the values in each cluster, by first appearance. Without clusters every value is one of its own.
 *
 * @example
 * ```ts
 * sumByCluster([1, 0, 1], ['a', 'a', 'b']) // => [{ sum: 1, n: 2 }, { sum: 1, n: 1 }]
 * ```
 */
export function sumByCluster(
  values: ArrayLike<number>,
  clusters?: ArrayLike<string | number>,
): readonly ClusterSum[] {
  if (clusters === undefined) return Array.from(values, (sum) => ({ sum, n: 1 }));
  const sums = new Map<string | number, { sum: number; n: number }>();
  for (let i = 0; i < values.length; i++) {
    let own = sums.get(clusters[i]!);
    if (own === undefined) {
      own = { sum: 0, n: 0 };
      sums.set(clusters[i]!, own);
    }
    own.sum += values[i]!;
    own.n += 1;
  }
  return [...sums.values()];
}

/**
 * Standard error of a mean when rows of one cluster (patient, batch, template) are correlated:
 * sqrt(sum over clusters g of (sum over i in g of (s_i - mean))^2) / n.
 *
 * No rows: null. With every row its own cluster it is the usual standard error (with n instead of n - 1). A single
 * cluster gives 0: the formula needs several. Source: Miller 2024.
 *
 * @example
 * ```ts
 * clusteredStandardError([1, 0, 1, 1, 0, 1], ['p1', 'p1', 'p2', 'p3', 'p3', 'p3']) // => 0.07856742013183861
 * clusteredStandardError([1, 0], ['p1', 'p2']) // => 0.3535533905932738
 * clusteredStandardError([], []) // => null
 * ```
 */
export function clusteredStandardError(
  values: ArrayLike<number>,
  clusters: ArrayLike<string | number>,
): number | null {
  assertSameLength({ values, clusters });
  const centre = mean(values);
  if (centre === null) return null;
  const residuals = new Map<string | number, number>();
  for (let i = 0; i < values.length; i++) {
    const cluster = clusters[i]!;
    residuals.set(cluster, (residuals.get(cluster) ?? 0) + values[i]! - centre);
  }
  let squares = 0;
  for (const residual of residuals.values()) squares += residual * residual;
  return Math.sqrt(squares) / values.length;
}
