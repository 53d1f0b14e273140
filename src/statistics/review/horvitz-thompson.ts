import { assertSameLength } from '../same-length.ts';
import {
  type Cluster,
  clusterCount,
  clusterError,
  type EstimateError,
  intervalAround,
} from './cluster-error.ts';

/** A mean from labels with unequal probabilities. */
export interface WeightedMean extends EstimateError {
  /** Horvitz and Thompson: null where the size of the frame is not known. */
  readonly ht: number | null;
  /** Hájek. */
  readonly hajek: number;
  readonly unweighted: number;
  /** Kish: how many equally weighted labels these are worth. */
  readonly nEffective: number;
}

/**
 * The mean of labels that were drawn with known, unequal probabilities. Null without labels, or where a probability is not in (0, 1].
 *
 * @example
 * ```ts
 * horvitzThompson([1, 0, 1], [0.1, 0.5, 0.5])!.hajek.toFixed(6) // => '0.857143'
 * horvitzThompson([1], [0]) // => null
 * ```
 */
export function horvitzThompson(
  values: readonly number[],
  probabilities: readonly number[],
  {
    clusters,
    populationSize = null,
    level = 0.95,
  }: {
    readonly clusters?: readonly Cluster[];
    readonly populationSize?: number | null;
    readonly level?: number;
  } = {},
): WeightedMean | null {
  assertSameLength({ values, probabilities });
  const n = values.length;
  if (n === 0 || probabilities.some((pi) => !(pi > 0 && pi <= 1))) return null;
  const weights = probabilities.map((pi) => 1 / pi);
  const total = weights.reduce((sum, w) => sum + w, 0);
  const weighted = weights.reduce((sum, w, i) => sum + w * values[i]!, 0);
  const hajek = weighted / total;
  const groups = clusters ?? values.map((_, i) => i);
  const se = clusterError(
    weights.map((w, i) => (w * (values[i]! - hajek)) / (total / n)),
    groups,
  );
  return {
    ht: populationSize === null || !(populationSize > 0) ? null : weighted / populationSize,
    hajek,
    unweighted: values.reduce((sum, value) => sum + value, 0) / n,
    ...intervalAround(hajek, se, { level, degrees: clusterCount(groups) - 1, range: rangeOf(values) }),
    nEffective: total ** 2 / weights.reduce((sum, w) => sum + w ** 2, 0),
  };
}

/** A share lies between 0 and 1; other values have no known range. */
function rangeOf(values: readonly number[]): readonly [number, number] | null {
  return values.every((value) => value >= 0 && value <= 1) ? [0, 1] : null;
}
