import { argumentError } from '../../core/index.ts';
import { binomialCdf } from '../special-functions.ts';

/** What a threshold promises: the share of wrong answers, and the chance that the promise is false. */
export interface RiskPromise {
  /** The share of wrong answers among those given. Default: 0.05. */
  readonly risk?: number | undefined;
  /** The chance, over the draw of the calibration part, that the share is larger. Default: 0.1. */
  readonly delta?: number | undefined;
}

/** The promised share of wrong answers, where none is given. */
export const DEFAULT_RISK = 0.05;
/** The chance that the promise is false, where none is given. */
export const DEFAULT_DELTA = 0.1;

/** The promise with its defaults. Throws unless both numbers lie strictly between 0 and 1. */
export function checkedPromise({ risk = DEFAULT_RISK, delta = DEFAULT_DELTA }: RiskPromise): {
  readonly risk: number;
  readonly delta: number;
} {
  if (!(risk > 0 && risk < 1))
    throw argumentError(`risk is ${risk}; expected a share between 0 and 1, such as 0.05`, risk);
  if (!(delta > 0 && delta < 1))
    throw argumentError(`delta is ${delta}; expected a probability between 0 and 1, such as 0.1`, delta);
  return { risk, delta };
}

/**
 * The exact p-value of "the risk is above this share": P(Bin(n, risk) <= errors).
 *
 * @example
 * ```ts
 * riskPValue(3, 150, 0.05).toFixed(6) // => '0.054770'
 * riskPValue(0, 0, 0.05) // => 1
 * ```
 */
export function riskPValue(errors: number, n: number, risk = DEFAULT_RISK): number {
  checkedPromise({ risk });
  if (!(Number.isInteger(errors) && errors >= 0 && errors <= n))
    throw argumentError(`${errors} errors of ${n}; expected a count between 0 and n`, errors);
  return binomialCdf(errors, n, risk);
}

/**
 * The fewest accepted rows that can show the risk with this many errors among them: the smallest n with P(Bin(n, risk) <= errors) <= delta.
 *
 * @example
 * ```ts
 * rowsForErrors(0) // => 45
 * rowsForErrors(2, { risk: 0.01, delta: 0.05 }) // => 628
 * ```
 */
export function rowsForErrors(errors: number, promise: RiskPromise = {}): number {
  const { risk, delta } = checkedPromise(promise);
  if (!(Number.isInteger(errors) && errors >= 0))
    throw argumentError(`errors are ${errors}; expected a count`, errors);
  const shows = (n: number) => binomialCdf(errors, n, risk) <= delta;
  let enough = errors + 1;
  while (!shows(enough)) enough *= 2;
  let tooFew = errors;
  while (enough - tooFew > 1) {
    const middle = Math.floor((tooFew + enough) / 2);
    if (shows(middle)) enough = middle;
    else tooFew = middle;
  }
  return enough;
}

/** More rows than this are reported as "not reachable". */
const MAX_ROWS = 1_000_000;

/**
 * The accepted rows with which the risk is shown with this power when the true risk is `trueRisk`: the smallest n for which it and the next ceil(2 / risk) - 1 sizes
 * all reach the power, since the power of an exact test goes up and down with n. Default power: 0.8. Null where a million rows do not suffice.
 *
 * @example
 * ```ts
 * rowsForPower(0.025) // => 330
 * rowsForPower(0.05) // => null
 * ```
 */
export function rowsForPower(
  trueRisk: number,
  { power = 0.8, ...promise }: RiskPromise & { readonly power?: number | undefined } = {},
): number | null {
  const { risk, delta } = checkedPromise(promise);
  if (!(trueRisk >= 0 && trueRisk <= 1))
    throw argumentError(`true risk is ${trueRisk}; expected a share between 0 and 1`, trueRisk);
  if (!(power > 0 && power < 1))
    throw argumentError(`power is ${power}; expected a probability between 0 and 1`, power);
  if (trueRisk >= risk) return null;
  const inARow = Math.ceil(2 / risk);
  // The most errors that still show the risk; it only grows with n.
  let allowed = -1;
  let reached = 0;
  for (let n = 1; n <= MAX_ROWS; n++) {
    while (binomialCdf(allowed + 1, n, risk) <= delta) allowed += 1;
    reached = allowed >= 0 && binomialCdf(allowed, n, trueRisk) >= power ? reached + 1 : 0;
    if (reached === inARow) return n - inARow + 1;
  }
  return null;
}

/**
 * How many rows the strictest tested threshold must accept, of n usable rows: enough to show the risk with `startErrors` errors where that is at most a quarter of
 * the rows, else with one error less, and so on to none. The rule looks at counts and never at errors. Default: 2 errors.
 *
 * @example
 * ```ts
 * firstTestedRows(400) // => 77
 * firstTestedRows(1000) // => 105
 * ```
 */
export function firstTestedRows(
  n: number,
  { startErrors = 2, ...promise }: RiskPromise & { readonly startErrors?: number | undefined } = {},
): number {
  for (let errors = startErrors; errors > 0; errors--) {
    const rows = rowsForErrors(errors, promise);
    if (4 * rows <= n) return rows;
  }
  return rowsForErrors(0, promise);
}
