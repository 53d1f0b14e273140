/**
 * Which evidence a gate gathers. `proportion`: rows that are right or wrong. `mean`: values between, such as means of patients or shares of repeats. `suite`: a claim about exactly the rows of a suite,
 * drawn without replacement.
 */
export type EvidenceKind = 'proportion' | 'mean' | 'suite';

/** Running evidence against one limit, from above and from below. */
interface Evidence {
  add(value: number): void;
  /** The evidence that the value lies above the limit; with `ahead`, after that many more values of 1. */
  above(ahead?: number): number;
  below(): number;
  bounds(alphaSide: number): readonly [number, number] | null;
}

/** @internal */
export function createEvidence(kind: EvidenceKind, limit: number, suiteSize: number): Evidence {
  if (kind === 'proportion') return proportionEvidence(limit);
  return kind === 'mean' ? meanEvidence(limit) : suiteEvidence(limit, suiteSize);
}

function proportionEvidence(limit: number): Evidence {
  let [successes, n] = [0, 0];
  return {
    add: (value) => {
      successes += value;
      n += 1;
    },
    above: (ahead = 0) => proportionEValue(successes + ahead, n + ahead, limit)!,
    below: () => proportionEValue(successes, n, limit, 'below')!,
    bounds: (alphaSide) => proportionSequence(successes, n, alphaSide),
  };
}

function meanEvidence(limit: number): Evidence {
  const [above, below] = [createWealth(limit), createWealth(1 - limit)];
  const values: number[] = [];
  return {
    add: (value) => {
      values.push(value);
      above.add(value);
      below.add(1 - value);
    },
    above: above.value,
    below: () => below.value(),
    bounds: (alphaSide) => meanSequence(values, alphaSide),
  };
}

/** What the rows seen already settle counts as infinite evidence. */
function suiteEvidence(limit: number, suiteSize: number): Evidence {
  const [above, below] = [createSuiteWealth(limit, suiteSize), createSuiteWealth(1 - limit, suiteSize)];
  const values: number[] = [];
  let sum = 0;
  return {
    add: (value) => {
      values.push(value);
      sum += value;
      above.add(value);
      below.add(1 - value);
    },
    above: (ahead = 0) =>
      (sum + ahead) / suiteSize >= limit - 1e-9 ? Number.POSITIVE_INFINITY : above.value(),
    below: () => below.value(),
    bounds: (alphaSide) => suiteSequence(values, suiteSize, alphaSide),
  };
}

/** The side of a limit on which evidence is gathered: `above` speaks for a value over the limit, `below` for one under it. */
export type Side = 'above' | 'below';

/**
 * The evidence of `successes` among `n` rows that a share lies above (or below) a limit: a likelihood ratio with a uniform prior on that side. It may be looked at after every
 * row: while the share is at the limit, the chance that it ever reaches 1/alpha is at most alpha (Ville's inequality). Null for counts or limits that make no sense.
 *
 * @example
 * ```ts
 * proportionEValue(0, 0, 0.9) // => 1
 * proportionEValue(95, 100, 0.9)!.toFixed(6) // => '2.765165'
 * proportionEValue(80, 100, 0.9, 'below')!.toFixed(6) // => '9.386037'
 * ```
 */
export function proportionEValue(
  successes: number,
  n: number,
  limit: number,
  side: Side = 'above',
): number | null {
  if (!areCounts(successes, n) || !isShare(limit)) return null;
  return side === 'above' ? evidence(successes, n, limit) : evidence(n - successes, n, 1 - limit);
}

/**
 * Bounds of a share that hold at all n at once: the chance that any of them is ever wrong is at most `alphaSide` on each side. Null without rows.
 *
 * @example
 * ```ts
 * proportionSequence(95, 100)!.map((bound) => bound.toFixed(4)) // => ['0.8554', '0.9944']
 * proportionSequence(0, 0) // => null
 * ```
 */
export function proportionSequence(
  successes: number,
  n: number,
  alphaSide = 0.025,
): readonly [number, number] | null {
  if (!areCounts(successes, n) || n === 0 || !isAlpha(alphaSide)) return null;
  return [lowerBound(successes, n, alphaSide), 1 - lowerBound(n - successes, n, alphaSide)];
}

function lowerBound(successes: number, n: number, alphaSide: number): number {
  return successes === 0 ? 0 : limitWithEvidence((m) => evidence(successes, n, m), alphaSide);
}

/** The limit at which evidence that falls in the limit reaches 1/alpha, by bisection on [0, 1]: the low end of a bracket of at most 1e-12. */
function limitWithEvidence(evidenceAt: (limit: number) => number, alphaSide: number): number {
  let [low, high] = [0, 1];
  while (high - low > 1e-12) {
    const middle = (low + high) / 2;
    if (evidenceAt(middle) >= 1 / alphaSide) low = middle;
    else high = middle;
  }
  return low;
}

/** The sum form of the ratio. Its factors fall, so it ends once a term adds nothing; overflow to infinity is harmless, since it is compared with 1/alpha. */
function evidence(successes: number, n: number, limit: number): number {
  const failures = n - successes;
  let [sum, term] = [1, 1];
  for (let i = 0; i < successes; i++) {
    const factor = ((successes - i) * (1 - limit)) / ((failures + 2 + i) * limit);
    term *= factor;
    sum += term;
    if (sum === Number.POSITIVE_INFINITY || (factor < 1 && term < sum * 1e-18 * (1 - factor))) break;
  }
  return sum / (failures + 1);
}

function areCounts(successes: number, n: number): boolean {
  return Number.isInteger(successes) && Number.isInteger(n) && successes >= 0 && successes <= n;
}

/** @internal */
export function isShare(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

/** @internal */
export function isAlpha(value: number): boolean {
  return value > 0 && value < 1;
}

/** Fixed bets (2j - 1) / 100, j = 1..50, of equal weight: no tuning, no running variance, no dependence on the order of the values. */
const BETS: readonly number[] = Array.from({ length: 50 }, (_, j) => (2 * j + 1) / 100);

/**
 * The evidence of values in [0, 1] that their mean lies above (or below) a limit, by betting. For means of patients, shares of repeats and paired differences; for plain 0/1
 * values `proportionEValue` is exact. Null when a value lies outside [0, 1].
 *
 * @example
 * ```ts
 * meanEValue([1, 1, 0, 1, 1, 1, 1, 0, 1, 1], 0.5)!.toFixed(6) // => '4.002121'
 * meanEValue([0.5, 1.2], 0.5) // => null
 * ```
 */
export function meanEValue(values: readonly number[], limit: number, side: Side = 'above'): number | null {
  if (!values.every(isShare) || !isShare(limit)) return null;
  const wealth = createWealth(side === 'above' ? limit : 1 - limit);
  for (const value of values) wealth.add(side === 'above' ? value : 1 - value);
  return wealth.value();
}

/**
 * Bounds of a mean of values in [0, 1] that hold at all n at once. Null without values, and when a value lies outside [0, 1]: values are never clipped.
 *
 * @example
 * ```ts
 * meanSequence([1, 1, 0.5, 1, 0.75, 1, 1, 0.8])!.map((bound) => bound.toFixed(3)) // => ['0.454', '0.988']
 * ```
 */
export function meanSequence(values: readonly number[], alphaSide = 0.025): readonly [number, number] | null {
  if (values.length === 0 || !values.every(isShare) || !isAlpha(alphaSide)) return null;
  return [
    lowerMean(values, alphaSide),
    1 -
      lowerMean(
        values.map((value) => 1 - value),
        alphaSide,
      ),
  ];
}

function lowerMean(values: readonly number[], alphaSide: number): number {
  if (values.every((value) => value === 0)) return 0;
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return limitWithEvidence((limit) => {
    const wealth = createWealth(limit);
    for (const [value, count] of counts) wealth.add(value, count);
    return wealth.value();
  }, alphaSide);
}

/** What the bets against one limit are worth so far; a value costs 50 additions. */
interface Wealth {
  add(value: number, count?: number): void;
  /** The wealth now, or after `ahead` more values of 1. */
  value(ahead?: number): number;
}

/** Bets against a fixed limit. */
function createWealth(limit: number): Wealth {
  const logs = new Float64Array(BETS.length);
  let isInfinite = false;
  const bet = (into: Float64Array, value: number, count: number): boolean => {
    if (limit === 0) return value > 0;
    for (const [j, c] of BETS.entries()) into[j]! += count * Math.log1p(c * (value / limit - 1));
    return false;
  };
  return {
    add: (value, count = 1) => {
      isInfinite = bet(logs, value, count) || isInfinite;
    },
    value: (ahead = 0) => {
      if (isInfinite || ahead === 0) return isInfinite ? Number.POSITIVE_INFINITY : averageWealth(logs);
      const then = logs.slice();
      return bet(then, 1, ahead) ? Number.POSITIVE_INFINITY : averageWealth(then);
    },
  };
}

/** The mean of the wealth of all bets, whose logarithms are given. */
function averageWealth(logs: Float64Array): number {
  let sum = 0;
  for (const log of logs) sum += Math.exp(log);
  return sum / logs.length;
}

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
function createSuiteWealth(limit: number, suiteSize: number) {
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
    value: (): number => (isInfinite ? Number.POSITIVE_INFINITY : averageWealth(logs)),
  };
}

/**
 * Bounds of the mean difference a - b of two models on the same records that hold at all n at once. Null without records, and for scores outside [0, 1].
 *
 * @example
 * ```ts
 * pairedSequence([1, 1, 0, 1], [1, 0, 0, 1])!.map((bound) => bound.toFixed(3)) // => ['-0.655', '0.883']
 * ```
 */
export function pairedSequence(
  a: readonly number[],
  b: readonly number[],
  alphaSide = 0.025,
): readonly [number, number] | null {
  const values = pairedValues(a, b);
  const bounds = values && meanSequence(values, alphaSide);
  return bounds && [2 * bounds[0] - 1, 2 * bounds[1] - 1];
}

/** `superior` implies `non_inferior`; the stronger one is given. */
export type PairedStatus = 'superior' | 'non_inferior' | 'shown_worse' | 'undecided';

/**
 * What pairs of scores show about model a against model b, with a margin fixed beforehand: that it is superior, not inferior by more than the margin, or worse by more than it.
 * Null without records, and for scores outside [0, 1].
 *
 * @example
 * ```ts
 * pairedVerdict([1, 0, 1, 1], [1, 1, 1, 0], { margin: 0.02 }) // => { status: 'undecided', difference: 0 }
 * ```
 */
export function pairedVerdict(
  a: readonly number[],
  b: readonly number[],
  { margin, alphaSide = 0.025 }: { readonly margin: number; readonly alphaSide?: number },
): { readonly status: PairedStatus; readonly difference: number } | null {
  const values = pairedValues(a, b);
  if (values === null || values.length === 0 || !isShare(margin) || !isAlpha(alphaSide)) return null;
  const difference = (2 * values.reduce((sum, value) => sum + value, 0)) / values.length - 1;
  const shows = (limit: number, side: 'above' | 'below') => meanEValue(values, limit, side)! >= 1 / alphaSide;
  if (shows(1 / 2, 'above')) return { status: 'superior', difference };
  if (shows(marginLimit(margin), 'above')) return { status: 'non_inferior', difference };
  return { status: shows(marginLimit(margin), 'below') ? 'shown_worse' : 'undecided', difference };
}

/** A margin on the scale of `pairedValues`. */
function marginLimit(margin: number): number {
  return (1 - margin) / 2;
}

/** Differences a - b moved from [-1, 1] to [0, 1]: a tie is one half. */
function pairedValues(a: readonly number[], b: readonly number[]): number[] | null {
  if (a.length !== b.length || ![...a, ...b].every(isShare)) return null;
  return a.map((score, i) => (1 + score - b[i]!) / 2);
}
