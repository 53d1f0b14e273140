import { asNumber } from '../imputation/feature-row.ts';
import type { UciColumn, UciValue } from '../source/columns.ts';

/**
 * The quantile function of a column's observed values: the sorted value at probability u.
 *
 * A quantity is interpolated between neighbours (position u * (n - 1), as R's type 7), rounded to the decimals its column
 * is reported with, and kept within the smallest and largest observed. A step or a word is the observed one at place
 * floor(u * n): nothing lies between two words.
 *
 * @example
 * ```ts
 * empiricalQuantile([1, 3, 4], { kind: 'numeric', decimals: 1 })(0.25) // => 2
 * empiricalQuantile(['no', 'yes', 'no'], { kind: 'categorical', allowed: ['yes', 'no'] })(0.2) // => 'yes'
 * ```
 */
export function empiricalQuantile(
  observed: readonly NonNullable<UciValue>[],
  column: UciColumn,
): (u: number) => NonNullable<UciValue> {
  const sorted = observed.toSorted((a, b) => asNumber(a, column) - asNumber(b, column));
  const n = sorted.length;
  if (column.kind !== 'numeric') return (u) => sorted[Math.min(n - 1, Math.floor(u * n))]!;
  const at = (place: number) => sorted[place] as number;
  return (u) => {
    const position = u * (n - 1);
    const below = Math.min(n - 1, Math.floor(position));
    const above = Math.min(n - 1, below + 1);
    const value = at(below) + (position - below) * (at(above) - at(below));
    return Math.min(at(n - 1), Math.max(at(0), Number(value.toFixed(column.decimals))));
  };
}
