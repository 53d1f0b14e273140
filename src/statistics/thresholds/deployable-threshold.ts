import { z } from 'zod';
import { argumentError, count, type Shape } from '../../core/index.ts';
import { assertSameLength } from '../same-length.ts';
import { checkedPromise, firstTestedRows, type RiskPromise, riskPValue, rowsForErrors } from './risk-test.ts';

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
