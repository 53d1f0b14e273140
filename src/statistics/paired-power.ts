import { argumentError } from '../core/index.ts';
import { normalQuantile } from './special-functions.ts';

/** `alpha` is two-sided. The discordant proportion psi is the share of records on which exactly one model is right. */
export interface PairedPowerOptions {
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
