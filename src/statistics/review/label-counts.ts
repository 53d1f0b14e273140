import { criticalValue } from '../critical-value.ts';

interface Planning {
  /** Default: 0.95. */
  readonly level?: number;
  /** How much variance labels of shared questions add. Default: 1. */
  readonly designEffect?: number;
}

/**
 * How many labels make the interval of a share this narrow: n0 = deff z^2 p(1-p)/d^2, and from a frame of N items n0/(1 + (n0-1)/N). Null for a half-width that is not above 0.
 *
 * @example
 * ```ts
 * requiredLabelsForProportion({ halfWidth: 0.05, expected: 0.9 }) // => 139
 * ```
 */
export function requiredLabelsForProportion(
  {
    halfWidth,
    expected = 0.5,
    population = null,
  }: { readonly halfWidth: number; readonly expected?: number; readonly population?: number | null },
  { level = 0.95, designEffect = 1 }: Planning = {},
): number | null {
  if (!(halfWidth > 0) || !(expected >= 0 && expected <= 1)) return null;
  const whole = (designEffect * criticalValue(level) ** 2 * expected * (1 - expected)) / halfWidth ** 2;
  return roundedUp(population === null ? whole : whole / (1 + (whole - 1) / population));
}

/**
 * How many labels put the Wilson lower bound of an observed share at the target or above. Null where the share is not above the target.
 *
 * @example
 * ```ts
 * requiredLabelsForLowerBound({ share: 0.9, target: 0.75 }) // => 33
 * ```
 */
export function requiredLabelsForLowerBound(
  { share, target }: { readonly share: number; readonly target: number },
  { level = 0.95, designEffect = 1 }: Planning = {},
): number | null {
  if (!(share > target)) return null;
  return roundedUp(
    (designEffect * criticalValue(level) ** 2 * target * (1 - target)) / (share - target) ** 2,
  );
}

/**
 * How many labels without an event bound a rate below this, one-sided. Null for a rate outside (0, 1).
 *
 * @example
 * ```ts
 * requiredLabelsForZeroEvents(0.05) // => 59
 * ```
 */
export function requiredLabelsForZeroEvents(maxRate: number, level = 0.95): number | null {
  criticalValue(level);
  return maxRate > 0 && maxRate < 1 ? roundedUp(Math.log(1 - level) / Math.log(1 - maxRate)) : null;
}

/** Rounding must not add a label to a whole number. */
function roundedUp(value: number): number {
  return Math.ceil(value - 1e-9);
}
