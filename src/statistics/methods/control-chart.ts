import { wilsonWithZ } from '../wilson-with-z.ts';

/** The lines of a control chart. */
export interface ControlLimits {
  /** The share of the reference run. */
  readonly centre: number;
  readonly warning: readonly [number, number];
  readonly action: readonly [number, number];
}

/** Where a later run lies: `two_of_three` is beyond the warning limit together with one of the two runs before it, on the same side. */
export type ControlState = 'in' | 'warning' | 'two_of_three' | 'action';

/** Two-sided 95 % and three standard errors, times the root of two because the reference is as noisy as the run compared with it. */
const WARNING = 1.959963984540054 * Math.SQRT2;
const ACTION = 3 * Math.SQRT2;

/**
 * Limits of a share around the reference run: Wilson intervals with z = 1.96 √2 (warning) and 3 √2 (action). No rows: null.
 *
 * @example
 * ```ts
 * controlLimits(452, 500)!.warning.map((limit) => limit.toFixed(3)) // => ['0.861', '0.935']
 * ```
 */
export function controlLimits(successes: number, n: number): ControlLimits | null {
  const [warning, action] = [wilsonWithZ(successes, n, WARNING), wilsonWithZ(successes, n, ACTION)];
  return warning && action && { centre: successes / n, warning, action };
}

/**
 * The state of each later run, in order of time. All runs have n rows. No rows: null.
 *
 * @example
 * ```ts
 * controlChart(452, 500, [450, 427, 452, 428, 400]) // => ['in', 'warning', 'in', 'two_of_three', 'action']
 * ```
 */
export function controlChart(
  firstSuccesses: number,
  n: number,
  laterSuccesses: readonly number[],
): ControlState[] | null {
  const limits = controlLimits(firstSuccesses, n);
  if (limits === null) return null;
  const sides = laterSuccesses.map((successes) => findSide(successes / n, limits.warning));
  return laterSuccesses.map((successes, i) => {
    if (findSide(successes / n, limits.action) !== 0) return 'action';
    if (sides[i] === 0) return 'in';
    return sides.slice(Math.max(0, i - 2), i).includes(sides[i]!) ? 'two_of_three' : 'warning';
  });
}

function findSide(share: number, [lower, upper]: readonly [number, number]): -1 | 0 | 1 {
  return share < lower ? -1 : share > upper ? 1 : 0;
}
