import { type Label, sameLabel } from '../../core/index.ts';
import type { ColumnValues } from './read-columns.ts';

type Values = ColumnValues['values'];

/**
 * Whether a column is the label itself: wherever both are filled in they are equal, and it is filled in at least half of the labelled rows.
 *
 * @example
 * ```ts
 * isTheLabel(['yes', 'no', null], ['yes', 'no', 'yes']) // => true
 * isTheLabel(['yes', 'no', 'no'], ['yes', 'no', 'yes']) // => false
 * ```
 */
export function isTheLabel(values: Values, labels: readonly (Label | null)[]): boolean {
  const pairs = pairsOf(values, labels);
  const labelled = labels.filter((label) => label !== null).length;
  return (
    pairs.length > 1 &&
    pairs.length * 2 >= labelled &&
    pairs.every(([value, label]) => sameLabel(value, label))
  );
}

/**
 * Whether a column is the label in other words: as many values as labels, each going with one label only. Fewer than two rows a label could be chance.
 *
 * @example
 * ```ts
 * isARecoding([1, 0, 1, 0], ['ill', 'well', 'ill', 'well']) // => true
 * isARecoding([1, 0, 0, 0], ['ill', 'well', 'ill', 'well']) // => false
 * ```
 */
export function isARecoding(values: Values, labels: readonly (Label | null)[]): boolean {
  const pairs = pairsOf(values, labels);
  if (pairs.length < labels.filter((label) => label !== null).length) return false;
  const forward = new Map(pairs);
  const back = new Map(pairs.map(([value, label]) => [label, value]));
  return (
    forward.size > 1 &&
    pairs.length >= 2 * forward.size &&
    pairs.every(([value, label]) => forward.get(value) === label && back.get(label) === value)
  );
}

function pairsOf(values: Values, labels: readonly (Label | null)[]): [string | number, Label][] {
  return values.flatMap((value, i): [string | number, Label][] => {
    const label = labels[i] ?? null;
    return value === null || label === null ? [] : [[value, label]];
  });
}
