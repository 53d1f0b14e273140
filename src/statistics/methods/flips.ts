import { mcnemarExact } from '../mcnemar.ts';
import { wilsonInterval } from '../proportions.ts';
import { assertSameLength, median } from '../samples.ts';
import { criticalValue } from '../special-functions.ts';
import {
  type Cluster,
  clusterCount,
  clusterError,
  type EstimateError,
  intervalAround,
  withoutRounding,
} from './corrected-mean.ts';

/** A label, `abstain` or `invalid`; null where it was not run. */
export type Decision = string | number | null;

/**
 * The interval of a difference of two shares on the same records (Agresti and Min 2005): b records have only the first, c only the second, of n. Null without records.
 *
 * @example
 * ```ts
 * pairedDifferenceInterval({ b: 14, c: 5, n: 120 })!.difference // => 0.075
 * ```
 */
export function pairedDifferenceInterval(
  { b, c, n }: { readonly b: number; readonly c: number; readonly n: number },
  level = 0.95,
): { readonly difference: number; readonly lower: number; readonly upper: number } | null {
  const z = criticalValue(level);
  if (n === 0) return null;
  const centre = (b - c) / (n + 2);
  const half = (z * Math.sqrt(b + c + 1 - (b - c) ** 2 / (n + 2))) / (n + 2);
  return { difference: (b - c) / n, lower: Math.max(-1, centre - half), upper: Math.min(1, centre + half) };
}

/**
 * How often a decision changes between two runs of a record. Alone it is not robustness: a model that answers differently when asked again flips under any change.
 *
 * @example
 * ```ts
 * flipRate([['1', '1'], ['1', 'abstain'], ['0', null]]).rate // => 0.5
 * ```
 */
export function flipRate(pairs: readonly (readonly [Decision, Decision])[], level = 0.95) {
  const run = pairs.filter((pair) => pair.every(isRun));
  const flips = run.filter(([base, variant]) => base !== variant).length;
  const n = run.length;
  const [lower, upper] = wilsonInterval(flips, n, level) ?? [null, null];
  return { rate: n === 0 ? null : flips / n, flips, n, lower, upper };
}

/**
 * Flips under a change beyond those of a plain repeat: [base, repeat, variant] for each record. Null without complete records.
 *
 * @example
 * ```ts
 * flipExcess([['1', '1', '0'], ['1', '1', '1']])!.excess // => 0.5
 * ```
 */
export function flipExcess(triples: readonly (readonly [Decision, Decision, Decision])[], level = 0.95) {
  const run = triples.filter((triple) => triple.every(isRun));
  const n = run.length;
  if (n === 0) return null;
  const flipped = run.map(([base, , variant]) => base !== variant);
  const noisy = run.map(([base, repeat]) => base !== repeat);
  const b = flipped.filter((flip, i) => flip && !noisy[i]).length;
  const c = noisy.filter((noise, i) => noise && !flipped[i]).length;
  const { difference, lower, upper } = pairedDifferenceInterval({ b, c, n }, level)!;
  return {
    n,
    flipRate: flipped.filter(Boolean).length / n,
    noiseRate: noisy.filter(Boolean).length / n,
    excess: difference,
    lower,
    upper,
    p: mcnemarExact(b, c).pExact,
    b,
    c,
  };
}

/** How far the distribution of decisions moves. */
export interface DecisionShift extends EstimateError {
  /** Records with two or more runs on both sides. */
  readonly n: number;
  readonly between: number;
  readonly noise: number;
  /** 0 on average where nothing changes; may be negative. */
  readonly shift: number;
}

/**
 * How far decisions move under a change, beyond their own noise: the share of unequal pairs between base and variant, less the mean share within each. Null where no record has two runs on both sides.
 *
 * @example
 * ```ts
 * decisionShift([{ base: ['1', '1'], variant: ['0', '0'] }, { base: ['0', '0'], variant: ['0', '0'] }])!.shift // => 0.5
 * ```
 */
export function decisionShift(
  records: readonly {
    readonly base: readonly Decision[];
    readonly variant: readonly Decision[];
    /** Records that go together. Default: each record is its own. */
    readonly cluster?: Cluster;
  }[],
  level = 0.95,
): DecisionShift | null {
  const run = records
    .map(({ base, variant, cluster }, i) => ({
      base: base.filter(isRun),
      variant: variant.filter(isRun),
      // Apart from the names that are given.
      cluster: cluster ?? `record ${i}\u0000`,
    }))
    .filter(({ base, variant }) => base.length > 1 && variant.length > 1);
  const n = run.length;
  if (n === 0) return null;
  const between = run.map(({ base, variant }) => unequalShare(base, variant));
  const noise = run.map(({ base, variant }) => (unequalWithin(base) + unequalWithin(variant)) / 2);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / n;
  const shifts = between.map((value, i) => value - noise[i]!);
  const shift = mean(shifts);
  const clusters = run.map(({ cluster }) => cluster);
  const se = clusterError(
    shifts.map((value) => value - shift),
    clusters,
  );
  const error = intervalAround(shift, se, { level, degrees: clusterCount(clusters) - 1, range: [-1, 1] });
  return { n, between: mean(between), noise: mean(noise), shift, ...error };
}

export function isRun<T>(decision: T | null | undefined): decision is T {
  return decision !== null && decision !== undefined;
}

function unequalShare(a: readonly Decision[], b: readonly Decision[]): number {
  const unequal = a.reduce<number>((sum, one) => sum + b.filter((other) => other !== one).length, 0);
  return unequal / (a.length * b.length);
}

function unequalWithin(runs: readonly Decision[]): number {
  return (unequalShare(runs, runs) * runs.length) / (runs.length - 1);
}

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
