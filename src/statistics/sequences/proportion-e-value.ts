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
export function limitWithEvidence(evidenceAt: (limit: number) => number, alphaSide: number): number {
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
