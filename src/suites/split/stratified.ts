import { argumentError } from '../../core/errors.ts';
import { createRandom, type Random, shuffle } from '../../statistics/random.ts';
import { apportion } from './apportion.ts';

/** What an item's stratum is called. Two items are in one stratum when the names are equal. */
type Stratum = string | number;

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
  getStratum: (item: T) => Stratum,
  random: Random,
): number[][] {
  const positions = items.map((item, position) => ({ stratum: getStratum(item), position }));
  return [...Map.groupBy(positions, ({ stratum }) => stratum).values()].map((members) =>
    shuffle(
      random,
      members.map(({ position }) => position),
    ),
  );
}

/**
 * All items in a seeded order of which every beginning is stratified: the first N are a stratified sample of N, and the
 * first 50 are among the first 100. `--limit N` takes the first N of this order.
 *
 * Among the first N, the count of a stratum with a share p of the items is less than one away from N * p; for k strata
 * at most 1 - 1 / (2k - 2) away; no method can promise less for every set of shares. At place N a stratum that has
 * had x is eligible when N * p - x >= 1 / (2k - 2); of the eligible the one that must come soonest, that is with the
 * smallest (x + 1 - 1 / (2k - 2)) / p, is next. Source: Tijdeman 1980, The chairman assignment problem.
 * Within a stratum the order is random.
 *
 * @example
 * ```ts
 * stratifiedOrder(['a1', 'a2', 'a3', 'a4', 'b1', 'b2'], (name) => name[0], 7) // => ['a2', 'b2', 'a3', 'a4', 'b1', 'a1']
 * ```
 */
export function stratifiedOrder<T>(items: readonly T[], getStratum: (item: T) => Stratum, seed: number): T[] {
  const strata = shuffledStrata(items, getStratum, createRandom(seed, 'suiteOrder')).map((positions) => ({
    positions,
    taken: 0,
  }));
  // 2k - 2; with one stratum any order is stratified, and 2 lets it through.
  const unit = Math.max(2, 2 * strata.length - 2);
  const n = items.length;
  return items.map((_, place) => {
    let next: { readonly positions: readonly number[]; taken: number } | null = null;
    for (const each of strata) {
      // Everything times n and 2k - 2, so that whole numbers are compared and no rounding decides.
      const size = each.positions.length;
      const eligible = ((place + 1) * size - each.taken * n) * unit >= n;
      if (eligible && (next === null || deadline(each) * next.positions.length < deadline(next) * size))
        next = each;
    }
    const stratum = next!;
    const position = stratum.positions[stratum.taken]!;
    stratum.taken += 1;
    return items[position]!;
  });

  function deadline({ taken }: { readonly taken: number }): number {
    return (taken + 1) * unit - 1;
  }
}

/**
 * Splits items into a training and a test part, each stratum in the same proportion. Both parts keep the order of the
 * items.
 *
 * The test part has round(testSize * n) items (or exactly `testSize`, from 1 up), divided among the strata by largest
 * remainders. A stratum with two or more items has at least one on each side; this comes before the size, so that many
 * small strata may make the test part larger (or smaller) than asked. Nothing but order, strata and seed decides.
 *
 * @example
 * ```ts
 * stratifiedSplit(['a1', 'a2', 'a3', 'a4', 'b1', 'b2'], (name) => name[0], { testSize: 0.5, seed: 7 }).test // => ['a1', 'a2', 'b2']
 * stratifiedSplit([1, 2, 3, 4, 5, 6], (number) => number % 2, { testSize: 2, seed: 7 }).train.length // => 4
 * ```
 */
export function stratifiedSplit<T>(
  items: readonly T[],
  getStratum: (item: T) => Stratum,
  {
    testSize,
    seed,
  }: {
    /** The share of the items that goes to the test part, between 0 and 1; or, from 1 up, how many of them. */
    readonly testSize: number;
    readonly seed: number;
  },
) {
  const wanted = testCount(testSize, items.length);
  const strata = shuffledStrata(items, getStratum, createRandom(seed, 'suiteSplit'));
  const sizes = strata.map((positions) => positions.length);
  const counts = apportion(
    sizes,
    wanted,
    sizes.map((size) => (size > 1 ? { least: 1, most: size - 1 } : { least: 0, most: 1 })),
  );
  const chosen = new Set(strata.flatMap((positions, i) => positions.slice(0, counts[i])));
  return {
    train: items.filter((_, position) => !chosen.has(position)),
    test: items.filter((_, position) => chosen.has(position)),
  };
}

function testCount(testSize: number, n: number): number {
  if (testSize > 0 && testSize < 1) return Math.round(testSize * n);
  if (Number.isInteger(testSize) && testSize >= 1 && testSize < n) return testSize;
  throw argumentError(
    `testSize is ${testSize}; expected a share between 0 and 1, or a whole number from 1 to ${Math.max(1, n - 1)} (of ${n} cases)`,
    testSize,
  );
}
