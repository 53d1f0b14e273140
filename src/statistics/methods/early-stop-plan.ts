import { z } from 'zod';
import type { Shape } from '../../core/codec.ts';
import { isAlpha, isShare, proportionEValue } from './e-values.ts';
import { DEFAULT_MIN_N } from './sequential-gate.ts';

export const earlyStopPlanSchema = z.object({
  pass: z.number(),
  failShown: z.number(),
  failUnreachable: z.number(),
  /** All rows were asked, and it was not shown. */
  failNotShown: z.number(),
  /** Rows that are asked, on average. */
  meanRows: z.number(),
  /** Half of the runs ask at most this many; nine of ten at most `rows90`. */
  medianRows: z.number(),
  rows90: z.number(),
});
/**
 * How a gate that stops early ends, and after how many rows, by exact recursion over all ways in which `nTotal` independent rows can turn out. Null for limits and chances outside [0, 1].
 *
 * @example
 * ```ts
 * const plan = planEarlyStops({ limit: 0.9, expected: 0.97, nTotal: 1000 })!;
 * [plan.pass.toFixed(3), Math.round(plan.meanRows)] // => ['1.000', 118]
 * ```
 */
export function planEarlyStops({
  limit,
  expected,
  nTotal,
  alphaSide = 0.025,
  minN = DEFAULT_MIN_N,
}: {
  readonly limit: number;
  /** The chance that a row is right. */
  readonly expected: number;
  readonly nTotal: number;
  /** Error of one side. Default: 0.025. */
  readonly alphaSide?: number;
  /** Counted rows before which nothing is decided. Default: 30. */
  readonly minN?: number;
}): Shape<typeof earlyStopPlanSchema> | null {
  if (!isShare(limit) || !isShare(expected) || !isAlpha(alphaSide) || !(nTotal >= 1)) return null;
  const enough = 1 / alphaSide;
  const mostWrong = mostWrongRows(limit, nTotal, enough, minN);
  // chance[s]: the chance of s right rows without a decision so far; decided[n]: of a decision after n rows.
  let chance = new Float64Array(nTotal + 1);
  let next = new Float64Array(nTotal + 1);
  const decided = new Float64Array(nTotal + 1);
  chance[0] = 1;
  const ends = { pass: 0, failShown: 0, failUnreachable: 0, failNotShown: 0 };
  let [passFrom, failTo] = [0, -1];
  for (let n = 1; n <= nTotal; n++) {
    const least = Math.max(0, n - Math.max(mostWrong, 0) - 1);
    for (let s = least; s <= n; s++)
      next[s] = (s < n ? chance[s]! * (1 - expected) : 0) + (s > 0 ? chance[s - 1]! * expected : 0);
    const settle = (s: number, how: keyof typeof ends) => {
      ends[how] += next[s]!;
      decided[n]! += next[s]!;
      next[s] = 0;
    };
    if (n >= minN) {
      while (passFrom <= n && proportionEValue(passFrom, n, limit)! < enough) passFrom += 1;
      for (let s = Math.max(passFrom, least); s <= n; s++) settle(s, 'pass');
      while (failTo + 1 <= n && proportionEValue(failTo + 1, n, limit, 'below')! >= enough) failTo += 1;
      for (let s = least; s <= failTo; s++) settle(s, 'failShown');
    }
    if (n < nTotal) for (let s = least; n - s > mostWrong && s <= n; s++) settle(s, 'failUnreachable');
    else for (let s = least; s <= n; s++) settle(s, 'failNotShown');
    [chance, next] = [next, chance];
  }
  const after = (share: number) => {
    let sum = 0;
    return decided.findIndex((own) => {
      sum += own;
      return sum >= share - 1e-12;
    });
  };
  const meanRows = decided.reduce((sum, own, n) => sum + own * n, 0);
  return { ...ends, meanRows, medianRows: after(0.5), rows90: after(0.9) };
}

/** How many wrong rows a run can have and still pass at its end; -1 where it cannot even without any. */
function mostWrongRows(limit: number, nTotal: number, enough: number, minN: number): number {
  const passes = (wrong: number) =>
    nTotal >= minN && wrong <= nTotal && proportionEValue(nTotal - wrong, nTotal, limit)! >= enough;
  if (!passes(0)) return -1;
  let [low, high] = [0, nTotal + 1];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (passes(middle)) low = middle;
    else high = middle;
  }
  return low;
}

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
