import { DEFAULT_LEVEL } from './score-options.ts';
import { binomialCdf } from './special-functions.ts';
import { wilsonInterval } from './wilson.ts';

/** The search ends here: no suite is this large. */
const MAX_ROWS = 1_000_000;

/**
 * The chance that a gate `lower(share) >= limit` passes on `n` rows, all of them asked, each right with the chance `expected` (Wilson's interval; exact over all outcomes).
 *
 * @example
 * ```ts
 * gatePower({ limit: 0.9, expected: 0.93, n: 1000 }).toFixed(3) // => '0.921'
 * ```
 */
export function gatePower({
  limit,
  expected,
  n,
  level = DEFAULT_LEVEL,
}: {
  readonly limit: number;
  readonly expected: number;
  readonly n: number;
  readonly level?: number;
}): number {
  let [fails, passes] = [-1, n + 1];
  while (passes - fails > 1) {
    const middle = Math.floor((fails + passes) / 2);
    if (wilsonInterval(middle, n, level)![0] >= limit - 1e-9) passes = middle;
    else fails = middle;
  }
  return passes > n ? 0 : 1 - (passes === 0 ? 0 : binomialCdf(passes - 1, n, expected));
}

/**
 * The fewest rows with which a gate `lower(share) >= limit` passes with the given power, if all are asked: the smallest n after which the power, which goes up and down with n, stays above that value for more than one such period. Null where
 * no number suffices: `expected` is not above the limit, or too close to it.
 *
 * @example
 * ```ts
 * rowsForGate({ limit: 0.9, expected: 0.97 }) // => 113
 * rowsForGate({ limit: 0.9, expected: 0.9 }) // => null
 * ```
 */
export function rowsForGate({
  power = 0.8,
  ...gate
}: {
  readonly limit: number;
  readonly expected: number;
  /** Default: 0.8. */
  readonly power?: number;
  /** Default: 0.95. */
  readonly level?: number;
}): number | null {
  const { limit, expected } = gate;
  if (!(expected > limit && limit >= 0 && expected <= 1 && power > 0 && power < 1)) return null;
  const reaches = (n: number) => gatePower({ ...gate, n }) >= power;
  const tooth = Math.ceil(2 / Math.max(1 - limit, 1e-6));
  let high = 1;
  while (high <= MAX_ROWS && !reaches(high)) high *= 2;
  if (high > MAX_ROWS) return null;
  let low = Math.floor(high / 2);
  // Near enough by bisection, as if power only rose; then every size.
  while (high - low > 4 * tooth) {
    const middle = Math.floor((low + high) / 2);
    if (reaches(middle)) high = middle;
    else low = middle;
  }
  let from = Math.max(1, low - 4 * tooth);
  for (let n = from; n < from + tooth; n++) if (!reaches(n)) from = n + 1;
  return from;
}
