import { argumentError } from '../../core/index.ts';
import { createRandom } from '../../statistics/index.ts';
import { apportion } from './apportion.ts';
import { type Stratum, shuffledStrata } from './strata.ts';

export interface SplitOptions {
  /** The share of the items that goes to the test part, between 0 and 1; or, from 1 up, how many of them. */
  readonly testSize: number;
  readonly seed: number;
}

export interface Split<T> {
  readonly train: T[];
  readonly test: T[];
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
  stratumOf: (item: T) => Stratum,
  { testSize, seed }: SplitOptions,
): Split<T> {
  const wanted = testCount(testSize, items.length);
  const strata = shuffledStrata(items, stratumOf, createRandom(seed, 'suiteSplit'));
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
    `testSize is ${testSize}; expected a share between 0 and 1, or a whole number from 1 to ${Math.max(1, n - 1)} (of ${n} records)`,
    testSize,
  );
}
