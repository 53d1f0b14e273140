import { z } from 'zod';
import { count, fileKey, type Shape } from '../../core/codec.ts';
import { argumentError } from '../../core/errors.ts';
import { exactUpperBound } from '../proportions.ts';
import { assertSameLength } from '../samples.ts';
import { binomialCdf } from '../special-functions.ts';

/** How a threshold is chosen. */
export interface ThresholdOptions extends RiskPromise {
  /** The grid of thresholds: confidences are rounded down to a multiple of it. Default: 0.01. */
  readonly step?: number | undefined;
  /** How many errors the strictest tested threshold should be able to carry. Default: 2. */
  readonly startErrors?: number | undefined;
}

export const deployableThresholdSchema = z.object({
  /** Answers at this confidence or above are accepted. */
  threshold: z.number().nullable(),
  /** Calibration rows at or above the threshold. */
  n: count.nullable(),
  /** Answers among them that are not correct. */
  errors: count.nullable(),
  pValue: z.number().nullable(),
  /** How many thresholds were tested, the one that failed included. */
  tested: count,
  reason: z.enum(['too_few_rows', 'risk_not_shown']).nullable(),
});
/** A threshold with its evidence on the calibration part, or the reason why there is none. */
export type DeployableThreshold = Shape<typeof deployableThresholdSchema>;

/** Rounding of a sum or product must not move a confidence to the other side of a threshold. */
const EDGE = 1e-9;

/**
 * The lowest confidence at which to accept answers, so that with probability 1 - delta over the draw of these rows at most `risk` of accepted answers
 * are not correct. What is correct is the caller's choice: the threshold of a run takes an answer on a case that should be deferred for a failure. Thresholds are tested from strict to lenient with an exact test each, until the first that fails; the last that passed is the result (Learn then Test,
 * fixed sequence). Rows without a confidence, or with one outside [0, 1], are not usable and are left out. The order of rows does not matter.
 *
 * Source: Angelopoulos, Bates, Candès, Jordan & Lei 2021; Bauer 1991.
 *
 * @example
 * ```ts
 * const confidences = Array.from({ length: 200 }, (_, i) => (i < 120 ? 0.95 : 0.7));
 * const correct = confidences.map((confidence, i) => confidence > 0.9 || i % 3 > 0);
 * deployableThreshold(confidences, correct).threshold // => 0.95
 * deployableThreshold([0.9, 0.8], [1, 1]).reason // => 'too_few_rows'
 * ```
 */
export function deployableThreshold(
  confidences: readonly (number | null | undefined)[],
  correct: readonly (number | boolean | null | undefined)[],
  { step = 0.01, startErrors = 2, ...promise }: ThresholdOptions = {},
): DeployableThreshold {
  const { risk, delta } = checkedPromise(promise);
  assertSameLength({ confidences, correct });
  if (!(step > 0 && step <= 1))
    throw argumentError(`step is ${step}; expected a number above 0, at most 1`, step);
  const cells = new Map<number, { n: number; errors: number }>();
  let usable = 0;
  for (const [i, confidence] of confidences.entries()) {
    const right = correct[i];
    if (!isConfidence(confidence) || right === null || right === undefined) continue;
    const cell = Math.floor(confidence / step + EDGE);
    const counts = cells.get(cell) ?? { n: 0, errors: 0 };
    cells.set(cell, { n: counts.n + 1, errors: counts.errors + (right ? 0 : 1) });
    usable += 1;
  }
  if (usable < rowsForErrors(0, { risk, delta })) return { ...NONE, tested: 0, reason: 'too_few_rows' };
  const start = firstTestedRows(usable, { risk, delta, startErrors });
  let accepted: DeployableThreshold = { ...NONE, tested: 0, reason: 'risk_not_shown' };
  let n = 0;
  let errors = 0;
  for (const [cell, counts] of [...cells].sort(([a], [b]) => b - a)) {
    n += counts.n;
    errors += counts.errors;
    if (n < start) continue;
    const pValue = riskPValue(errors, n, risk);
    const tested = accepted.tested + 1;
    if (pValue > delta) return { ...accepted, tested };
    // Twelve digits: 57 * 0.01 is 0.57 and not 0.5700000000000001.
    const threshold = Number((cell * step).toPrecision(12));
    accepted = { threshold, n, errors, pValue, tested, reason: null };
  }
  return accepted;
}

const NONE = { threshold: null, n: null, errors: null, pValue: null } as const;

/** Whether a number is a confidence that a threshold can be compared with. */
export function isConfidence(value: number | null | undefined): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

/** Whether a policy with this threshold accepts the confidence. */
export function reaches(confidence: number | null | undefined, threshold: number): boolean {
  return isConfidence(confidence) && confidence >= threshold - EDGE;
}

export const thresholdReportSchema = z.object({
  n: count,
  /** Right or wrong with a confidence at or above the threshold. */
  answered: count,
  /** Wrong among the answered. */
  errors: count,
  coverage: z.number(),
  /** errors / answered; null without an answer. */
  risk: z.number().nullable(),
  /** One-sided exact upper bound of the risk (Clopper and Pearson). */
  riskUpper: z.number().nullable(),
  deferredPer100: fileKey('deferred_per_100', z.number()),
  errorsPer100: fileKey('errors_per_100', z.number()),
});
/** What a policy with a threshold does on rows that did not choose it. */
export type ThresholdReport = Shape<typeof thresholdReportSchema>;

/**
 * Coverage and risk of "answer at or above the threshold, else defer". Whatever is not right or wrong (abstained, invalid, failed), lacks a confidence or lies below the
 * threshold is deferred. A threshold of null defers everything. No rows: null. Default alpha of the upper bound: 0.05.
 *
 * @example
 * ```ts
 * thresholdReport(['right', 'wrong', 'abstained', 'right'], [0.95, 0.9, null, 0.6], 0.9)!.coverage // => 0.5
 * ```
 */
export function thresholdReport(
  states: readonly string[],
  confidences: readonly (number | null | undefined)[],
  threshold: number | null,
  { alpha = 0.05 }: { readonly alpha?: number | undefined } = {},
): ThresholdReport | null {
  assertSameLength({ states, confidences });
  const n = states.length;
  if (n === 0) return null;
  let answered = 0;
  let errors = 0;
  for (const [i, state] of states.entries()) {
    if (threshold === null || !reaches(confidences[i], threshold)) continue;
    if (state !== 'right' && state !== 'wrong') continue;
    answered += 1;
    if (state === 'wrong') errors += 1;
  }
  return {
    n,
    answered,
    errors,
    coverage: answered / n,
    risk: answered === 0 ? null : errors / answered,
    riskUpper: exactUpperBound(errors, answered, 1 - alpha),
    deferredPer100: (100 * (n - answered)) / n,
    errorsPer100: (100 * errors) / n,
  };
}

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
