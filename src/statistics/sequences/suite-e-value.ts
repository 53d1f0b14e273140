import { BETS, meanOf } from './mean-e-value.ts';
import { isAlpha, isShare, limitWithEvidence, type Side } from './proportion-e-value.ts';

/** Sums of decimals come this close to a whole number without reaching it. */
const EDGE = 1e-9;

/**
 * The evidence that the mean over exactly the `suiteSize` rows of a suite lies above (or below) a limit, when the values seen were drawn from it without replacement. The order of the
 * values matters. Null when a value lies outside [0, 1] or there are more values than rows.
 *
 * @example
 * ```ts
 * suiteEValue([1, 1, 0, 1, 1], 0.6, 8)!.toFixed(6) // => '1.612412'
 * suiteEValue([1, 1, 1], 0.5, 4) // => Infinity
 * ```
 */
export function suiteEValue(
  values: readonly number[],
  limit: number,
  suiteSize: number,
  side: Side = 'above',
): number | null {
  if (!fits(values, suiteSize) || !isShare(limit)) return null;
  const wealth = createSuiteWealth(side === 'above' ? limit : 1 - limit, suiteSize);
  for (const value of values) wealth.add(side === 'above' ? value : 1 - value);
  return wealth.value();
}

/**
 * Bounds of the mean over exactly the rows of a suite that hold at all n at once, and no wider than what the rows left could still change. Null without values.
 *
 * @example
 * ```ts
 * suiteSequence([1, 1, 0, 1, 1, 1], 6)!.map((bound) => bound.toFixed(4)) // => ['0.8333', '0.8333']
 * ```
 */
export function suiteSequence(
  values: readonly number[],
  suiteSize: number,
  alphaSide = 0.025,
): readonly [number, number] | null {
  if (values.length === 0 || !fits(values, suiteSize) || !isAlpha(alphaSide)) return null;
  const lower = (given: readonly number[]) => {
    const found = limitWithEvidence((limit) => {
      const wealth = createSuiteWealth(limit, suiteSize);
      for (const value of given) wealth.add(value);
      return wealth.value();
    }, alphaSide);
    return Math.max(found, given.reduce((sum, value) => sum + value, 0) / suiteSize);
  };
  return [lower(values), 1 - lower(values.map((value) => 1 - value))];
}

function fits(values: readonly number[], suiteSize: number): boolean {
  return Number.isInteger(suiteSize) && values.length <= suiteSize && values.every(isShare);
}

/** Bets against a limit on the mean of a whole suite: each bet is against the mean that the rows left would need. */
export function createSuiteWealth(limit: number, suiteSize: number) {
  const logs = new Float64Array(BETS.length);
  let [sum, n, isInfinite] = [0, 0, false];
  return {
    add: (value: number): void => {
      const needed = (suiteSize * limit - sum) / (suiteSize - n);
      sum += value;
      n += 1;
      if (needed < -EDGE || (needed <= EDGE && value > 0)) isInfinite = true;
      if (isInfinite || needed <= EDGE || needed >= 1 - EDGE) return;
      for (const [j, c] of BETS.entries()) logs[j]! += Math.log1p(c * (value / needed - 1));
    },
    value: (): number => (isInfinite ? Number.POSITIVE_INFINITY : meanOf(logs)),
  };
}
