import { normalCdf, normalQuantile } from '../../statistics/special-functions.ts';
import { clinicalError } from '../domain.ts';

/** Coefficients of variation of one result, as fractions. */
export interface Variation {
  /** Within one person in a steady state. */
  readonly cvWithinPerson: number;
  /** Of the laboratory method. */
  readonly cvAnalytical: number;
}

/** HbA1c: median of studies in healthy people (PLoS One 2023;18:e0289085), usual goal of laboratories. FPG: EFLM meta-analysis. OGTT: ADDITION, repeat after 14 days, the method in it. */
export const VARIATION = {
  hba1c: { cvWithinPerson: 0.017, cvAnalytical: 0.02 },
  fpg: { cvWithinPerson: 0.05, cvAnalytical: 0.02 },
  ogtt2h: { cvWithinPerson: 0.138, cvAnalytical: 0 },
} as const satisfies Record<string, Variation>;

/**
 * The standard deviation of the log of a result around the person's true value: s = sqrt(ln(1 + CVi^2 + CVa^2)).
 *
 * @example
 * ```ts
 * Math.round(logSd({ cvWithinPerson: 0.05, cvAnalytical: 0.02 }) * 1e5) / 1e5 // => 0.05381
 * ```
 */
export function logSd({ cvWithinPerson, cvAnalytical }: Variation): number {
  return Math.sqrt(Math.log1p(mustBeFraction(cvWithinPerson) ** 2 + mustBeFraction(cvAnalytical) ** 2));
}

/**
 * The probability that a person's true value is at or above a line, given one or several results of one test: the true log value is normal around the log of
 * their geometric mean with the SD of one result divided by the root of their number. Null without a result.
 *
 * @example
 * ```ts
 * const variation = { cvWithinPerson: 0.017, cvAnalytical: 0.02 };
 * chanceAtOrAbove([6.5], 6.5, variation) // => 0.5
 * Math.round(chanceAtOrAbove([6.4, 6.8], 6.5, variation)! * 1e4) / 1e4 // => 0.7876
 * chanceAtOrAbove([], 6.5, variation) // => null
 * ```
 */
export function chanceAtOrAbove(
  values: readonly number[],
  line: number,
  variation: Variation,
): number | null {
  if (values.length === 0) return null;
  let logs = 0;
  for (const value of values) logs += Math.log(mustBePositive(value, 'value'));
  const distance = logs / values.length - Math.log(mustBePositive(line, 'line'));
  const sd = logSd(variation) / Math.sqrt(values.length);
  if (sd === 0) return distance >= 0 ? 1 : 0;
  return normalCdf(distance / sd);
}

/**
 * The reference change value, two-sided: how far two results of one person may lie apart for reasons of measurement alone, as fractions of the first.
 *
 * @example
 * ```ts
 * Math.round(referenceChangeValue({ cvWithinPerson: 0.017, cvAnalytical: 0.02 }).symmetric * 1e4) / 1e4 // => 0.0728
 * ```
 */
export function referenceChangeValue(variation: Variation, level = 0.95) {
  if (!(level > 0 && level < 1))
    throw clinicalError(`level is ${level}; expected a number between 0 and 1`, level);
  const z = Math.SQRT2 * normalQuantile((1 + level) / 2);
  const step = z * logSd(variation);
  return {
    /** z sqrt(2) CV. */
    symmetric: z * Math.hypot(variation.cvWithinPerson, variation.cvAnalytical),
    /** The same on the log scale, upwards. */
    rise: Math.expm1(step),
    /** And downwards. */
    fall: -Math.expm1(-step),
  };
}

function mustBeFraction(cv: number): number {
  if (Number.isFinite(cv) && cv >= 0) return cv;
  throw clinicalError(`coefficient of variation is ${cv}; expected a fraction such as 0.05`, cv);
}

export function mustBePositive(value: number, name: string): number {
  if (Number.isFinite(value) && value > 0) return value;
  throw clinicalError(`${name} is ${value}; expected a number above 0`, value);
}
