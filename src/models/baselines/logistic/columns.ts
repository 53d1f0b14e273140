import type { FeatureValue } from '../../../core/patient-record.ts';
import { mean as average } from '../../../statistics/samples.ts';

/** In SDs. Larger values are clipped, so that scores stay finite for any record. */
const FARTHEST = 1e6;

/** One column of a regression's table: a readable name, and how a value becomes a number. */
export interface Column<Value> {
  readonly name: string;
  readonly read: (value: Value) => number;
}

/**
 * Columns of a value, applied to something that value is taken from.
 *
 * @example
 * ```ts
 * const columns = columnsThrough([{ name: 'double', read: (x) => 2 * x }], (text) => text.length);
 * columns[0].read('four') // => 8
 * ```
 */
export function columnsThrough<Outer, Inner>(
  columns: readonly Column<Inner>[],
  take: (outer: Outer) => Inner,
): Column<Outer>[] {
  return columns.map(({ name, read }) => ({ name, read: (outer) => read(take(outer)) }));
}

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
  const mean = average(measured)!;
  const sd = Math.sqrt(average(measured.map((x) => (x - mean) ** 2))!);
  // Rounding can give equal values an SD a little above 0; values at the ends of what a double holds give 0, infinity or NaN.
  const varies = measured[0] !== measured.at(-1) && sd > 0 && Number.isFinite(sd);
  if (!varies) return [notMeasured];

  const middle = (measured.length - 1) / 2;
  const median = (measured[Math.floor(middle)]! + measured[Math.ceil(middle)]!) / 2;
  const standardised = (x: number) => Math.max(-FARTHEST, Math.min(FARTHEST, (x - mean) / sd));
  return [{ name, read: (x) => standardised(x ?? median) }, notMeasured];
}

/**
 * Text as one 0/1 column for each category of the training rows, and one for "none given" (null, or a value that is not text).
 *
 * A category that no training row had is 0 in all of them. A column of its own would be the same: it is 0 throughout training, so
 * its weight stays 0. As the penalty makes the weights of a feature's categories sum to 0, such a value counts as their plain average.
 *
 * @example
 * ```ts
 * const columns = categoryColumns('htn', ['yes', 'no', null]);
 * columns.map(({ name }) => name) // => ['htn = no', 'htn = yes', 'htn: none given']
 * columns.map(({ read }) => read('yes')) // => [0, 1, 0]
 * columns.map(({ read }) => read('perhaps')) // => [0, 0, 0]
 * ```
 */
export function categoryColumns(name: string, training: readonly FeatureValue[]): Column<FeatureValue>[] {
  const categories = [...new Set(training.filter((value) => typeof value === 'string'))].sort();
  if (categories.length === 0) return [];
  return [
    ...categories.map((category) => ({
      name: `${name} = ${category}`,
      read: (value: FeatureValue) => (value === category ? 1 : 0),
    })),
    { name: `${name}: none given`, read: (value) => (typeof value === 'string' ? 0 : 1) },
  ];
}

/**
 * True and false as 1 and 0, and a second column that is 1 where neither is given.
 *
 * @example
 * ```ts
 * flagColumns('pregnant', [true, false]).map(({ read }) => read(null)) // => [0, 1]
 * ```
 */
export function flagColumns(name: string, training: readonly FeatureValue[]): Column<FeatureValue>[] {
  if (!training.some((value) => typeof value === 'boolean')) return [];
  return [
    { name, read: (value) => (value === true ? 1 : 0) },
    { name: `${name}: none given`, read: (value) => (typeof value === 'boolean' ? 0 : 1) },
  ];
}
