import type { Column } from './column.ts';

/** In SDs. Larger values are clipped, so that scores stay finite for any record. */
const FARTHEST = 1e6;

/**
 * A number that may be unmeasured (null), as two columns.
 *
 * 1. (x - mean) / SD, with mean and SD (dividing by n) of the measured training values, so that the penalty weighs every number
 *    alike whatever its unit. Where x is not measured, the median of the measured training values is used.
 * 2. 1 where x is not measured, else 0. It lets the model see that nothing was measured, instead of taking the median for
 *    a finding: the weight of this column can offset what the median contributes.
 *
 * A number never measured in training gives no column; one that is always the same gives the second only.
 *
 * @example
 * ```ts
 * const [standardised, notMeasured] = numberColumns('age', [40, 60, null]);
 * [standardised.read(60), standardised.read(null), notMeasured.read(null)] // => [1, 0, 1]
 * ```
 */
export function numberColumns(name: string, training: readonly (number | null)[]): Column<number | null>[] {
  const measured = training.filter((value) => value !== null).toSorted((a, b) => a - b);
  if (measured.length === 0) return [];
  const notMeasured = { name: `${name}: not measured`, read: (x: number | null) => (x === null ? 1 : 0) };
  const mean = average(measured);
  const sd = Math.sqrt(average(measured.map((x) => (x - mean) ** 2)));
  // Rounding can give equal values an SD a little above 0; values at the ends of what a double holds give 0, infinity or NaN.
  const varies = measured[0] !== measured.at(-1) && sd > 0 && Number.isFinite(sd);
  if (!varies) return [notMeasured];

  const middle = (measured.length - 1) / 2;
  const median = (measured[Math.floor(middle)]! + measured[Math.ceil(middle)]!) / 2;
  const standardised = (x: number) => Math.max(-FARTHEST, Math.min(FARTHEST, (x - mean) / sd));
  return [{ name, read: (x) => standardised(x ?? median) }, notMeasured];
}

function average(values: readonly number[]): number {
  return values.reduce((sum, x) => sum + x, 0) / values.length;
}
