import { isAlpha, isShare } from './proportion-e-value.ts';

/**
 * The fewest rows after which a gate `lower(share) >= limit` can pass, all of them right. Null when no number suffices (limit 1).
 *
 * @example
 * ```ts
 * rowsNeededAllRight(0.9) // => 51
 * rowsNeededAllRight(0.99) // => 535
 * rowsNeededAllRight(1) // => null
 * ```
 */
export function rowsNeededAllRight(limit: number, alphaSide = 0.025): number | null {
  if (!isShare(limit) || limit === 1 || !isAlpha(alphaSide)) return null;
  if (limit === 0) return 1;
  // The evidence of n right rows is (1 - m^(n+1)) / ((n+1) (1-m) m^n).
  const log = Math.log(limit);
  const suffices = (n: number) =>
    Math.log(-Math.expm1((n + 1) * log)) - Math.log((n + 1) * (1 - limit)) - n * log >= -Math.log(alphaSide);
  let [low, high] = [0, 1];
  while (!suffices(high)) [low, high] = [high, 2 * high];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (suffices(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/**
 * The error of one side that each gate of each model may spend. `each`: all bounds hold together (Bonferroni over models and gates). `release`: enough for "this model meets all its gates", since a
 * wrong release needs the one violated gate to pass.
 *
 * @example
 * ```ts
 * sequentialAlpha({ nModels: 2, nGates: 3 })!.toFixed(6) // => '0.004167'
 * sequentialAlpha({ nModels: 2, nGates: 3 }, { claim: 'release' })!.toFixed(4) // => '0.0125'
 * ```
 */
export function sequentialAlpha(
  { nModels, nGates }: { readonly nModels: number; readonly nGates: number },
  { level = 0.95, claim = 'each' }: { readonly level?: number; readonly claim?: 'each' | 'release' } = {},
): number | null {
  if (!(level > 0 && level < 1) || !(nModels >= 1 && nGates >= 1)) return null;
  // 1 - 0.95 is not 0.05 in binary.
  const side = Number(((1 - level) / 2).toPrecision(12));
  if (claim === 'release') return side / nModels;
  return claim === 'each' ? side / (nModels * nGates) : null;
}

/**
 * The verdict of a full run on a gate `value >= limit`, as soon as the rows left cannot change it; null before. `rest` rows may still turn out right or wrong.
 *
 * @example
 * ```ts
 * curtailedValueGate({ right: 90, wrong: 3, rest: 7, limit: 0.9 }) // => 'pass'
 * curtailedValueGate({ right: 40, wrong: 11, rest: 49, limit: 0.9 }) // => 'fail'
 * curtailedValueGate({ right: 40, wrong: 1, rest: 59, limit: 0.9 }) // => null
 * ```
 */
export function curtailedValueGate({
  right,
  wrong,
  rest,
  limit,
}: {
  readonly right: number;
  readonly wrong: number;
  readonly rest: number;
  readonly limit: number;
}): 'pass' | 'fail' | null {
  const n = right + wrong + rest;
  if (right / n >= limit - EDGE) return 'pass';
  return (right + rest) / n < limit - EDGE ? 'fail' : null;
}

const EDGE = 1e-9;
