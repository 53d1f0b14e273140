import { argumentError } from '../../core/index.ts';

/** Items to draw labels from: those with one verdict, say. */
export interface Stratum {
  readonly id: string;
  readonly size: number;
  /** Standard deviation within it, for `neyman`. */
  readonly sd?: number;
}

/** How many labels a stratum gets. */
export interface Allocation {
  readonly id: string;
  readonly n: number;
  /** n / size: stored with every label. Null for an empty stratum. */
  readonly inclusionProbability: number | null;
}

/**
 * Divides labels among strata: first the minimum of each, then one after another to the stratum with room and the greatest w/(2a+1), where a is how many it has and w its size (`proportional`), 1
 * (`equal`) or size x sd (`neyman`). Null where the minimums exceed n, or `neyman` lacks an sd.
 *
 * @example
 * ```ts
 * allocateLabels([{ id: 'agree', size: 200 }, { id: 'differ', size: 8 }], 30, { method: 'equal' })!.map(({ n }) => n) // => [22, 8]
 * ```
 */
export function allocateLabels(
  strata: readonly Stratum[],
  n: number,
  {
    method = 'proportional',
    minimum = 0,
  }: { readonly method?: 'proportional' | 'equal' | 'neyman'; readonly minimum?: number } = {},
): Allocation[] | null {
  if (!(Number.isInteger(n) && n >= 0)) throw argumentError(`${n} labels; expected a count`, n);
  if (method === 'neyman' && strata.some(({ sd }) => !(sd !== undefined && sd >= 0))) return null;
  const given = strata.map(({ size }) => Math.min(minimum, size));
  const weights = strata.map(({ size, sd = 0 }) =>
    method === 'equal' ? 1 : method === 'neyman' ? size * sd : size,
  );
  let left = n - given.reduce((sum, count) => sum + count, 0);
  if (left < 0) return null;
  for (; left > 0; left--) {
    let best = -1;
    for (const [i, { size }] of strata.entries()) {
      if (given[i]! >= size) continue;
      const priority = (of: number) => weights[of]! / (2 * given[of]! + 1);
      if (best < 0 || priority(i) > priority(best)) best = i;
    }
    if (best < 0) break;
    given[best]! += 1;
  }
  return strata.map(({ id, size }, i) => ({
    id,
    n: given[i]!,
    inclusionProbability: size === 0 ? null : given[i]! / size,
  }));
}
