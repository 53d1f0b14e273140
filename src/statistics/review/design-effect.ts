import { assertSameLength } from '../same-length.ts';
import { mean } from '../sample-statistics.ts';
import { wilsonInterval } from '../wilson.ts';
import { type Cluster, clusterCount, clusterError } from './cluster-error.ts';

/** How much the questions add to the variance of a share. */
export interface DesignEffect {
  readonly designEffect: number;
  /** Null where the design effect is 0. */
  readonly nEffective: number | null;
  readonly se: number;
  readonly nClusters: number;
}

/**
 * The variance of a mean with rows of one question taken together, over the variance of independent rows. Null without variation, or with fewer than two questions.
 *
 * @example
 * ```ts
 * designEffect([1, 1, 0, 0], ['a', 'a', 'b', 'b'])!.designEffect.toFixed(6) // => '4.000000'
 * designEffect([1, 1], ['a', 'b']) // => null
 * ```
 */
export function designEffect(values: readonly number[], clusters: readonly Cluster[]): DesignEffect | null {
  assertSameLength({ values, clusters });
  const centre = mean(values);
  if (centre === null) return null;
  const deviations = values.map((value) => value - centre);
  const variance = deviations.reduce((sum, own) => sum + own ** 2, 0) / values.length ** 2;
  const se = clusterError(deviations, clusters);
  if (se === null || variance < 1e-26) return null;
  const effect = se ** 2 / variance;
  return {
    designEffect: effect,
    nEffective: effect === 0 ? null : values.length / effect,
    se,
    nClusters: clusterCount(clusters),
  };
}

/** A share with an interval that takes rows of one question together. */
export interface ClusteredShare {
  readonly value: number;
  readonly n: number;
  readonly nClusters: number;
  readonly nEffective: number;
  readonly lower: number;
  readonly upper: number;
}

/**
 * Wilson's interval of a share with n divided by the design effect, where that is above 1. Without variation the questions are the units. Null without rows, or with one question that varies.
 *
 * @example
 * ```ts
 * wilsonClustered([1, 1, 1, 1], ['a', 'a', 'b', 'b'])!.nEffective // => 2
 * wilsonClustered([], []) // => null
 * ```
 */
export function wilsonClustered(
  values: readonly number[],
  clusters: readonly Cluster[],
  level = 0.95,
): ClusteredShare | null {
  assertSameLength({ values, clusters });
  const value = mean(values);
  if (value === null) return null;
  const nClusters = clusterCount(clusters);
  const effect = designEffect(values, clusters)?.designEffect ?? null;
  const isConstant = value === 0 || value === 1;
  if (!isConstant && effect === null) return null;
  const nEffective = isConstant ? nClusters : values.length / Math.max(1, effect!);
  const [lower, upper] = wilsonInterval(value * nEffective, nEffective, level)!;
  return { value, n: values.length, nClusters, nEffective, lower, upper };
}
