import { createRandom } from '../../statistics/index.ts';
import { type Stratum, shuffledStrata } from './strata.ts';

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
export function stratifiedOrder<T>(items: readonly T[], stratumOf: (item: T) => Stratum, seed: number): T[] {
  const strata = shuffledStrata(items, stratumOf, createRandom(seed, 'suiteOrder')).map((positions) => ({
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
