import type { FeatureValue } from '../../../core/index.ts';
import type { Column } from './column.ts';

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
