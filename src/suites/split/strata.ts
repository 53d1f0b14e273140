import { type Random, shuffle } from '../../statistics/index.ts';

/** What an item's stratum is called. Two items are in one stratum when the names are equal. */
export type Stratum = string | number;

/**
 * The positions of the items of each stratum, in random order; strata in order of first appearance.
 *
 * @example
 * ```ts
 * shuffledStrata(['a', 'b'], (item) => item, { integer: () => 0 }) // => [[0], [1]]
 * ```
 */
export function shuffledStrata<T>(
  items: readonly T[],
  stratumOf: (item: T) => Stratum,
  random: Random,
): number[][] {
  const positions = items.map((item, position) => ({ stratum: stratumOf(item), position }));
  return [...Map.groupBy(positions, ({ stratum }) => stratum).values()].map((members) =>
    shuffle(
      random,
      members.map(({ position }) => position),
    ),
  );
}
