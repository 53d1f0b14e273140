import { argumentError } from '../core/errors.ts';
import { MIN_CLUSTERS } from './cluster-non-inferiority.ts';
import { wilsonInterval } from './proportions.ts';
import { DEFAULT_LEVEL } from './score-options.ts';
import {
  assertLevel,
  binomialCdf,
  criticalValue,
  normalQuantile,
  studentQuantile,
} from './special-functions.ts';

/** `alpha` is two-sided. The discordant proportion psi is the share of records on which exactly one model is right. */
interface PairedPowerOptions {
  readonly discordantProportion: number;
  readonly alpha?: number;
  readonly power?: number;
}

/** Tolerance for rounding where a bound is met exactly. */
const EDGE = 1e-12;

/**
 * The smallest difference in accuracy that a paired comparison of n records can be expected to detect: the d in
 * (0, psi] with n = (z_a sqrt(psi) + z_b sqrt(psi - d^2))^2 / d^2, where z_a = z(1 - alpha/2), z_b = z(power).
 *
 * Squaring gives a quadratic in d, whose root is
 * d = sqrt(psi) (z_a sqrt(n) + z_b sqrt(n + z_b^2 - z_a^2)) / (n + z_b^2).
 * Null when even d = psi (all discordant records on one side) is too small for n records, or when psi is 0 or n is 0.
 * Source: Connor 1987.
 *
 * @example
 * ```ts
 * minimumDetectableDifference({ n: 400, discordantProportion: 0.1 }) // => 0.04416652198516226
 * minimumDetectableDifference({ n: 80, discordantProportion: 0.05 }) // => null
 * ```
 */
export function minimumDetectableDifference(
  options: PairedPowerOptions & { readonly n: number },
): number | null {
  const { n, discordantProportion: psi } = options;
  const { zAlpha, zPower } = criticalValues(options);
  // Below z_a^2 records the root belongs to the squared equation only: it needs d > sqrt(psi).
  if (!(n >= zAlpha ** 2 && psi > 0 && psi <= 1)) return null;
  const inner = n + zPower ** 2 - zAlpha ** 2;
  const d = (Math.sqrt(psi) * (zAlpha * Math.sqrt(n) + zPower * Math.sqrt(inner))) / (n + zPower ** 2);
  return d > 0 && d <= psi * (1 + EDGE) ? Math.min(d, psi) : null;
}

/**
 * How many records a paired comparison needs to detect a difference d in accuracy:
 * n = (z_a sqrt(psi) + z_b sqrt(psi - d^2))^2 / d^2, rounded up. The sign of d does not matter.
 *
 * Null when d is 0, or larger than psi (the difference cannot exceed the share of records on which the models differ).
 * Source: Connor 1987.
 *
 * @example
 * ```ts
 * requiredPairs({ difference: 0.03, discordantProportion: 0.1 }) // => 870
 * requiredPairs({ difference: 0.02, discordantProportion: 0.1 }) // => 1960
 * requiredPairs({ difference: 0.2, discordantProportion: 0.1 }) // => null
 * ```
 */
export function requiredPairs(options: PairedPowerOptions & { readonly difference: number }): number | null {
  const psi = options.discordantProportion;
  const d = Math.abs(options.difference);
  const { zAlpha, zPower } = criticalValues(options);
  if (!(d > 0 && psi <= 1 && d <= psi * (1 + EDGE))) return null;
  const root = zAlpha * Math.sqrt(psi) + zPower * Math.sqrt(Math.max(0, psi - d * d));
  return Math.max(1, Math.ceil((root / d) ** 2 * (1 - EDGE)));
}

function criticalValues({ alpha = 0.05, power = 0.8 }: PairedPowerOptions) {
  for (const [name, value] of Object.entries({ alpha, power })) {
    if (!(value > 0 && value < 1)) {
      throw argumentError(`${name} is ${value}; expected a number between 0 and 1`, value);
    }
  }
  return { zAlpha: normalQuantile(1 - alpha / 2), zPower: normalQuantile(power) };
}

/**
 * The fewest pairs, or clusters of pairs, that can show a candidate to be no worse by more than a margin: two models that never differ
 * have the limits -+z^2 / (n + z^2), over clusters with Student's t for z and at least 10 clusters.
 *
 * @example
 * ```ts
 * fewestPairs({ margin: 0.1 }) // => 35
 * fewestPairs({ margin: 0.05 }) // => 73
 * fewestPairs({ margin: 0.1, clustered: true }) // => 38
 * ```
 */
export function fewestPairs({
  margin,
  level = DEFAULT_LEVEL,
  clustered = false,
}: {
  readonly margin: number;
  readonly level?: number;
  readonly clustered?: boolean;
}): number {
  assertMargin(margin);
  assertLevel(level);
  if (!clustered) return countAbove(criticalValue(level), margin);
  let n = MIN_CLUSTERS;
  // t falls as clusters are added, so each number needed is at most the one before.
  while (n < countAbove(studentQuantile((1 + level) / 2, n - 1), margin)) n += 1;
  return n;
}

/** The smallest n with z^2 / (n + z^2) < margin. */
function countAbove(z: number, margin: number): number {
  return Math.max(1, Math.floor((z * z * (1 - margin)) / margin + 1e-9) + 1);
}

/**
 * About how many pairs show with some power that a candidate is no worse by more than a margin, if it is as good as the reference and the
 * two differ on a share psi of the records: psi (z(1 - alpha/2) + z(power))^2 / margin^2, and never fewer than `fewestPairs`.
 *
 * @example
 * ```ts
 * pairsForNonInferiority({ margin: 0.1, discordantProportion: 0.1 }) // => 79
 * ```
 */
export function pairsForNonInferiority({
  margin,
  discordantProportion,
  level = DEFAULT_LEVEL,
  power = 0.8,
}: {
  readonly margin: number;
  readonly discordantProportion: number;
  readonly level?: number;
  readonly power?: number;
}): number {
  const z = criticalValue(level) + normalQuantile(power);
  return Math.max(fewestPairs({ margin, level }), Math.ceil((discordantProportion * z * z) / margin ** 2));
}

function assertMargin(margin: number): void {
  if (!(margin > 0 && margin <= 1))
    throw argumentError(
      `the margin is ${margin}; expected a number above 0 and up to 1, such as 0.02`,
      margin,
    );
}

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
