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
