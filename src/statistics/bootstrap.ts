import { argumentError } from '../core/errors.ts';
import {
  assertSameLength,
  quantile,
  type SampleStatistic,
  type StatisticName,
  toStatistic,
} from './samples.ts';
import { assertLevel, criticalValue, normalCdf, normalQuantile } from './special-functions.ts';

/**
 * The statistic on each resample, given the drawn positions. For checks against other tools, and for resampling plans
 * drawn elsewhere.
 *
 * A replicate is null where the statistic is undefined (an empty resample). Source: Efron 1979.
 *
 * @example
 * ```ts
 * bootstrapReplicates([1, 0, 1], [[0, 1, 2], [1, 1, 1]], 'sum') // => [2, 0]
 * bootstrapReplicates([1, 5, 9], [[0, 0, 2], []], 'median') // => [1, null]
 * bootstrapReplicates([1, 5, 9], [[0, 0, 2]], (drawn) => Math.max(...drawn)) // => [9]
 * ```
 */
export function bootstrapReplicates(
  values: ArrayLike<number>,
  resampleIndices: readonly ArrayLike<number>[],
  statistic: StatisticName | SampleStatistic = 'mean',
): (number | null)[] {
  const compute = toStatistic(statistic);
  return resampleIndices.map((indices) => compute(draw(values, indices)));
}

/**
 * The statistic on each resample of whole clusters (patients, prompt batches, templates): a cluster drawn twice brings
 * all its rows twice, and the mean divides by the number of rows drawn, not by the number of clusters.
 *
 * @example
 * ```ts
 * clusterReplicates([1, 0, 1], ['p1', 'p1', 'p2'], [['p1', 'p2'], ['p2', 'p2']]) // => [0.6666666666666666, 1]
 * ```
 */
export function clusterReplicates(
  values: ArrayLike<number>,
  clusters: ArrayLike<string | number>,
  resampledClusters: readonly ArrayLike<string | number>[],
  statistic: StatisticName | SampleStatistic = 'mean',
): (number | null)[] {
  assertSameLength({ values, clusters });
  const members = Map.groupBy(Array.from(values).keys(), (i) => clusters[i]!);
  const compute = toStatistic(statistic);
  return resampledClusters.map((drawn) =>
    compute(
      Array.from(drawn).flatMap((cluster) => {
        const rows = members.get(cluster);
        if (rows) return rows.map((row) => values[row]!);
        throw argumentError(`cluster ${JSON.stringify(cluster)} was drawn, but no row has it`, cluster);
      }),
    ),
  );
}

/**
 * Mean of A minus mean of B on each resample. Both models are scored on the same drawn records, which keeps the pairing.
 *
 * @example
 * ```ts
 * pairedDifferenceReplicates([1, 1, 0], [1, 0, 0], [[0, 1, 2], [1, 1, 0]])
 * // => [0.3333333333333333, 0.6666666666666666]
 * ```
 */
export function pairedDifferenceReplicates(
  scoresA: ArrayLike<number>,
  scoresB: ArrayLike<number>,
  resampleIndices: readonly ArrayLike<number>[],
): (number | null)[] {
  assertSameLength({ scoresA, scoresB });
  const differences = Float64Array.from(scoresA, (score, i) => score - scoresB[i]!);
  return bootstrapReplicates(differences, resampleIndices, 'mean');
}

function draw(values: ArrayLike<number>, indices: ArrayLike<number>): number[] {
  return Array.from(indices, (index) => {
    const value = values[index];
    if (value === undefined) {
      throw argumentError(
        `index ${index} was drawn from ${values.length} values; expected 0 to n - 1`,
        index,
      );
    }
    return value;
  });
}

/**
 * Bias-corrected and accelerated bootstrap interval. With t the estimate, t* the B replicates, d_i = mean of the
 * jackknife values minus the i-th:
 * z0 = Phi^-1((#{t* < t} + #{t* <= t}) / 2B), a = sum d^3 / (6 (sum d^2)^1.5), and the bounds are the type-7 quantiles
 * of t* at Phi(z0 + (z0 -+ z) / (1 - a (z0 -+ z))).
 *
 * z0 infinite (every replicate above t, or every one below): percentile interval, z0 null. Equal jackknife values,
 * or none: a = 0. Null when the estimate is undefined, no replicate is left, or more than 5 % were undefined.
 * Compute t and t* with the same function: a tie broken by rounding moves z0. Source: Efron 1987.
 *
 * @example
 * ```ts
 * bcaInterval({ estimate: 3, replicates: [1, 2, 3, 4, 5], jackknife: [2.5, 3, 3.5] }, 0.5)
 * // => { interval: [2, 4], z0: 0, acceleration: 0 }
 * bcaInterval({ estimate: 0, replicates: [1, 2, 3], jackknife: [] }, 0.5)
 * // => { interval: [1.5, 2.5], z0: null, acceleration: 0 }
 * bcaInterval({ estimate: 3, replicates: [], jackknife: [] }) // => null
 * ```
 */
export function bcaInterval(
  input: {
    /** The statistic on the records themselves. */
    readonly estimate: number;
    /** The statistic on each resample; undefined ones are null or NaN. */
    readonly replicates: ArrayLike<number | null>;
    /** The statistic with one record (or one cluster) left out, for each of them. */
    readonly jackknife: ArrayLike<number | null>;
    /** How many records share each jackknife value, where equal records were computed once. */
    readonly jackknifeWeights?: ArrayLike<number> | undefined;
  },
  level = 0.95,
) {
  const z = criticalValue(level);
  const sorted = definedReplicates(input.replicates);
  if (sorted === null || !Number.isFinite(input.estimate)) return null;
  const acceleration = jackknifeAcceleration(input.jackknife, input.jackknifeWeights);
  const z0 = normalQuantile(shareBelow(sorted, input.estimate));
  if (!Number.isFinite(z0)) return { interval: cutTails(sorted, level), z0: null, acceleration };
  const bound = (zBound: number): number => quantile(sorted, adjustedShare(z0, zBound, acceleration))!;
  return { interval: [bound(-z), bound(z)] as [number, number], z0, acceleration };
}

/** (#{t* < t} + #{t* <= t}) / 2B: a replicate equal to the estimate counts half. */
function shareBelow(replicates: ArrayLike<number>, estimate: number): number {
  let twice = 0;
  for (let i = 0; i < replicates.length; i++) {
    const replicate = replicates[i]!;
    twice += replicate < estimate ? 2 : replicate === estimate ? 1 : 0;
  }
  return twice / (2 * replicates.length);
}

function adjustedShare(z0: number, zBound: number, acceleration: number): number {
  const shifted = z0 + zBound;
  const shrink = 1 - acceleration * shifted;
  // |a| < 1/6, so only a shift of more than 6 gets here; past the pole the formula would jump to the other end.
  if (shrink <= 0) return shifted > 0 ? 1 : 0;
  return normalCdf(z0 + shifted / shrink);
}

/**
 * The acceleration of a BCa interval, a sixth of the skewness of the jackknife values: with d_i = mean - value_i,
 * a = sum d^3 / (6 (sum d^2)^1.5). `weights` says how many records share each value.
 *
 * Undefined values (null, NaN) are dropped. All equal up to rounding, or none left: 0. |a| is always below 1/6.
 * Source: Efron 1987.
 *
 * @example
 * ```ts
 * jackknifeAcceleration([0.2, 0.6, 0.61, 0.62, 0.63, 0.64, 0.65, 0.66]) // => 0.12910816652315546
 * jackknifeAcceleration([0, 1], [1, 3]) // => 0.09622504486493762
 * jackknifeAcceleration([0.1, 0.1, 0.1]) // => 0
 * ```
 */
export function jackknifeAcceleration(values: ArrayLike<number | null>, weights?: ArrayLike<number>): number {
  if (weights !== undefined) assertSameLength({ jackknife: values, jackknifeWeights: weights });
  let total = 0;
  let sum = 0;
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (!isDefined(value)) continue;
    const weight = weights?.[i] ?? 1;
    total += weight;
    sum += weight * value;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const range = high - low;
  // Values that differ by rounding alone have no skew, but the ratio below would report one.
  if (total === 0 || range <= 1e-12 * Math.max(Math.abs(low), Math.abs(high))) return 0;
  const mean = sum / total;
  let squares = 0;
  let cubes = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (!isDefined(value)) continue;
    const weight = weights?.[i] ?? 1;
    // The ratio has no unit; in units of the range nothing can underflow.
    const d = (mean - value) / range;
    squares += weight * d * d;
    cubes += weight * d * d * d;
  }
  return cubes / (6 * squares ** 1.5);
}

function isDefined(value: number | null | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/**
 * Percentile bootstrap interval: the (1 - level)/2 and (1 + level)/2 quantiles (type 7) of the replicates, given in any
 * order.
 *
 * Undefined replicates are dropped; null when none is left or more than 5 % were undefined. One replicate: both bounds
 * are that value. Source: Efron & Tibshirani 1993.
 *
 * @example
 * ```ts
 * percentileInterval([0.5, 0.9, 0.6, 0.8, 0.7], 0.8) // => [0.54, 0.86]
 * percentileInterval([0.7]) // => [0.7, 0.7]
 * percentileInterval([]) // => null
 * ```
 */
export function percentileInterval(
  replicates: ArrayLike<number | null>,
  level = 0.95,
): [number, number] | null {
  assertLevel(level);
  const sorted = definedReplicates(replicates);
  return sorted && cutTails(sorted, level);
}

/** The bounds of the middle `level` of sorted values. */
function cutTails(sorted: ArrayLike<number>, level: number): [number, number] {
  return [quantile(sorted, (1 - level) / 2)!, quantile(sorted, (1 + level) / 2)!];
}

/** With more than this share of undefined replicates, an interval of the rest would describe another quantity. */
const MAX_UNDEFINED_SHARE = 0.05;

/**
 * The bootstrap replicates that have a value, in ascending order. Null, NaN and infinite ones are dropped; when more
 * than 5 % are dropped, or none is left, the result is null: no interval can be given.
 *
 * @example
 * ```ts
 * definedReplicates([0.3, 0.1, 0.2])?.join(' ') // => '0.1 0.2 0.3'
 * definedReplicates([0.3, null, 0.2]) // => null
 * definedReplicates([]) // => null
 * ```
 */
export function definedReplicates(replicates: ArrayLike<number | null>): Float64Array | null {
  const defined = new Float64Array(replicates.length);
  let n = 0;
  for (let i = 0; i < replicates.length; i++) {
    const value = replicates[i];
    if (isDefined(value)) defined[n++] = value;
  }
  // In whole numbers, so that exactly 5 % is not lost to rounding.
  const tooMany = replicates.length - n > Math.floor(MAX_UNDEFINED_SHARE * replicates.length + 1e-9);
  return n === 0 || tooMany ? null : defined.subarray(0, n).sort();
}
