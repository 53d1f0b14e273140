import { type Label, labelKey } from '../../core/index.ts';
import {
  type Cluster,
  clusterCount,
  type EstimateError,
  intervalAround,
  jackknifeError,
} from './cluster-error.ts';

/** Krippendorff's alpha of nominal labels. */
export interface Alpha extends EstimateError {
  /** Null where no unit has two values, or only one category occurs. */
  readonly alpha: number | null;
  /** Values in units with two or more. */
  readonly nValues: number;
  /** Units with two or more values. */
  readonly nUnits: number;
}

/**
 * Krippendorff's alpha for any number of raters and missing values (null), with a delete-one-question jackknife (t). `clusters` has the question of each unit. Default: each unit is one.
 *
 * @example
 * ```ts
 * krippendorffAlpha([['a', 'a'], ['b', 'b'], ['a', 'b', null]]).alpha!.toFixed(6) // => '0.444444'
 * krippendorffAlpha([['a', null]]).alpha // => null
 * ```
 */
export function krippendorffAlpha(
  units: readonly (readonly (Label | null)[])[],
  { clusters, level = 0.95 }: { readonly clusters?: readonly Cluster[]; readonly level?: number } = {},
): Alpha {
  const rated = units
    .map((unit, i) => ({
      values: unit.filter((value) => value !== null && value !== undefined).map(labelKey),
      cluster: clusters?.[i] ?? i,
    }))
    .filter(({ values }) => values.length > 1);
  const alpha = alphaOf(rated.map(({ values }) => values));
  const names = rated.map(({ cluster }) => cluster);
  const counts = { nValues: rated.reduce((sum, { values }) => sum + values.length, 0), nUnits: rated.length };
  if (alpha === null) return { alpha, ...counts, se: null, lower: null, upper: null };
  const replicates = [...new Set(names)].map((left) =>
    alphaOf(rated.filter(({ cluster }) => cluster !== left).map(({ values }) => values)),
  );
  const degrees = clusterCount(names) - 1;
  const error = intervalAround(alpha, jackknifeError(replicates), { level, degrees, range: [-1, 1] });
  return { alpha, ...counts, ...error };
}

function alphaOf(units: readonly (readonly unknown[])[]): number | null {
  const totals = new Map<unknown, number>();
  let disagreement = 0;
  let n = 0;
  for (const values of units) {
    const counts = new Map<unknown, number>();
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
    const equal = [...counts.values()].reduce((sum, count) => sum + count * (count - 1), 0);
    disagreement += (values.length * (values.length - 1) - equal) / (values.length - 1);
    n += values.length;
    for (const [value, count] of counts) totals.set(value, (totals.get(value) ?? 0) + count);
  }
  const expected = n ** 2 - [...totals.values()].reduce((sum, count) => sum + count ** 2, 0);
  return expected === 0 ? null : 1 - ((n - 1) * disagreement) / expected;
}
