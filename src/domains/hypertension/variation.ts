import { normalCdf, normalQuantile } from '../../statistics/special-functions.ts';
import { clinicalError } from '../domain.ts';
import type { Pressure } from './blood-pressure.ts';

/** SD of an office visit's mean around the person's usual pressure. */
export const OFFICE_SD: Pressure = [8, 5];
/** SD of a week at home, and of an ambulatory mean. */
export const HOME_SD: Pressure = [5, 3.5];
export const AMBULATORY_SD: Pressure = [6.3, 4.5];
/** Variance that rounding every value to 10 adds to both numbers, however many visits there are. */
export const ROUNDING_VARIANCE = 100 / 12;

/**
 * The probability that the usual pressure is at or above a line, given a mean with its standard errors; systolic and diastolic errors are taken as independent.
 *
 * @example
 * ```ts
 * const { high, flipProbability } = lineProbability([127, 76], [4, 2.5], [130, 80]);
 * [high, Math.round(flipProbability * 1e4) / 1e4] // => [false, 0.269]
 * ```
 */
export function lineProbability(mean: Pressure, error: Pressure, line: Pressure) {
  const below = chanceBelow(mean[0], error[0], line[0]) * chanceBelow(mean[1], error[1], line[1]);
  const high = mean[0] >= line[0] || mean[1] >= line[1];
  // The flip probability is the chance that the usual pressure is on the other side.
  return { high, probabilityHigh: 1 - below, flipProbability: high ? below : 1 - below };
}

function chanceBelow(value: number, error: number, line: number): number {
  if (!(error >= 0)) throw clinicalError(`standard error is ${error}; expected 0 or more`, error);
  // A mean that is known exactly is on one side.
  if (error === 0) return value < line ? 1 : 0;
  return normalCdf((line - value) / error);
}

/** The standard errors of the mean of `n` office visits. */
export function officeError(n: number, extraVariance = 0): Pressure {
  return [Math.sqrt(OFFICE_SD[0] ** 2 / n + extraVariance), Math.sqrt(OFFICE_SD[1] ** 2 / n + extraVariance)];
}

/**
 * What a second look at the same person is expected to show without any treatment.
 *
 * @example
 * ```ts
 * regressionToTheMean({ observed: 160, populationMean: 124, sdBetween: 16, sdWithin: 8, n: 1 })
 * // => { reliability: 0.8, expectedTrue: 152.8, expectedFall: 7.199999999999999 }
 * ```
 */
export function regressionToTheMean(given: {
  readonly observed: number;
  readonly populationMean: number;
  readonly sdBetween: number;
  readonly sdWithin: number;
  readonly n: number;
}) {
  const { observed, populationMean, sdBetween, sdWithin, n } = given;
  if (!(sdBetween > 0 && sdWithin >= 0))
    throw clinicalError('standard deviations: expected sd_between above 0 and sd_within of 0 or more', given);
  mustBeCount('n', n);
  const reliability = sdBetween ** 2 / (sdBetween ** 2 + sdWithin ** 2 / n);
  return {
    reliability,
    expectedTrue: populationMean + reliability * (observed - populationMean),
    expectedFall: (1 - reliability) * (observed - populationMean),
  };
}

/**
 * The change between two sets of visits, and whether it exceeds what variation explains.
 *
 * @example
 * ```ts
 * const { change, beyond } = bpChange({ before: 152, after: 140, nBefore: 2, nAfter: 3 });
 * [change, beyond] // => [-12, false]
 * ```
 */
export function bpChange(
  given: {
    readonly before: number;
    readonly after: number;
    readonly nBefore: number;
    readonly nAfter: number;
  },
  { sd = OFFICE_SD[0], level = 0.95 }: { readonly sd?: number; readonly level?: number } = {},
) {
  mustBeCount('n_before', given.nBefore);
  mustBeCount('n_after', given.nAfter);
  if (!(sd >= 0)) throw clinicalError(`sd is ${sd}; expected 0 or more`, sd);
  if (!(level > 0 && level < 1))
    throw clinicalError(`level is ${level}; expected a number between 0 and 1`, level);
  const change = given.after - given.before;
  const limit = normalQuantile((1 + level) / 2) * sd * Math.sqrt(1 / given.nBefore + 1 / given.nAfter);
  return { change, limit, beyond: Math.abs(change) > limit };
}

function mustBeCount(name: string, n: number): void {
  if (!(Number.isInteger(n) && n >= 1))
    throw clinicalError(`${name} is ${n}; expected a whole number, 1 or more`, n);
}
