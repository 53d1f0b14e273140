import { criticalValue } from '../critical-value.ts';
import { mcnemarExact } from '../mcnemar.ts';
import { intervalAround, withoutRounding } from '../review/cluster-error.ts';
import { assertSameLength } from '../same-length.ts';
import { median } from '../sample-statistics.ts';
import { isRun } from './flips.ts';

/** The signed-rank distribution is computed exactly up to this many records. */
const MAX_EXACT = 50;

/**
 * How confidence changes, over records that have both values: the mean with t, the median of Walsh averages (Hodges and Lehmann) with the signed-rank interval, and a sign test. Null without such records.
 *
 * @example
 * ```ts
 * confidenceChange([0.9, 0.8, null], [0.7, 0.8, 0.5])!.nDown // => 1
 * ```
 */
export function confidenceChange(
  base: readonly (number | null)[],
  variant: readonly (number | null)[],
  level = 0.95,
) {
  assertSameLength({ base, variant });
  const changes = base.flatMap((value, i) => {
    const other = variant[i] ?? null;
    // Differences of decimals: 0.85 - 0.8 is 0.05.
    return isRun(value) && other !== null ? [Number((other - value).toPrecision(12))] : [];
  });
  const n = changes.length;
  if (n === 0) return null;
  const mean = changes.reduce((sum, change) => sum + change, 0) / n;
  const squares = changes.reduce((sum, change) => sum + (change - mean) ** 2, 0);
  const se = n < 2 ? null : withoutRounding(Math.sqrt(squares / (n - 1) / n));
  const { lower, upper } = intervalAround(mean, se, { level, degrees: n - 1, range: null });
  const walsh = changes.flatMap((a, i) => changes.slice(i).map((b) => (a + b) / 2)).sort((a, b) => a - b);
  const k = signedRankCut(n, level);
  const [nUp, nDown] = [
    changes.filter((change) => change > 0).length,
    changes.filter((change) => change < 0).length,
  ];
  return {
    n,
    mean,
    lower,
    upper,
    hodgesLehmann: median(walsh),
    hlLower: k === null ? null : walsh[k - 1]!,
    hlUpper: k === null ? null : walsh[walsh.length - k]!,
    nUp,
    nDown,
    nSame: n - nUp - nDown,
    pSign: mcnemarExact(nUp, nDown).pExact,
  };
}

/** How many Walsh averages to count in from each end; null where even the outermost do not reach the level. */
function signedRankCut(n: number, level: number): number | null {
  const half = (1 - level) / 2;
  const sums = (n * (n + 1)) / 2;
  if (n > MAX_EXACT)
    return Math.max(
      1,
      Math.floor(sums / 2 - criticalValue(level) * Math.sqrt((n * (n + 1) * (2 * n + 1)) / 24)),
    );
  // Probabilities of each sum of ranks, when every sign is a coin.
  let chances = [1];
  for (let rank = 1; rank <= n; rank++) {
    const next = new Array<number>(chances.length + rank).fill(0);
    for (const [sum, chance] of chances.entries()) {
      next[sum]! += chance / 2;
      next[sum + rank]! += chance / 2;
    }
    chances = next;
  }
  let below = 0;
  let k = 0;
  while (k <= sums && below + chances[k]! <= half + 1e-12) below += chances[k++]!;
  return k === 0 ? null : k;
}
