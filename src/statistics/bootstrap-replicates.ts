import { argumentError } from '../core/index.ts';
import { assertSameLength } from './same-length.ts';
import { type SampleStatistic, type StatisticName, toStatistic } from './sample-statistics.ts';

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
