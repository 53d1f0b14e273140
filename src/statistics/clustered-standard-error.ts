import { assertSameLength } from './same-length.ts';
import { mean } from './sample-statistics.ts';

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
