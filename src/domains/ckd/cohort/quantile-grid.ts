import { normalQuantile } from '../../../statistics/index.ts';
import type { UciClass } from '../source/columns.ts';
import { PUBLISHED_QUANTILES, QUANTILE_PROBABILITIES, type QuantileColumn } from './published.ts';

/**
 * Normal scores of the published quantiles. The smallest and the largest value are at 1/251 and 250/251, where the
 * extremes of 250 rows are expected, since a probability of 0 has no score.
 */
const SCORES: readonly number[] = QUANTILE_PROBABILITIES.map((p) =>
  normalQuantile(Math.min(250 / 251, Math.max(1 / 251, p))),
);

/**
 * The value of a column at a normal score, by linear interpolation between published quantiles. Never beyond the
 * smallest and largest published value.
 *
 * @example
 * ```ts
 * valueAtScore('hemo', 'ckd', 0) // => 10.9
 * valueAtScore('hemo', 'notckd', 9) // => 17.8
 * ```
 */
export function valueAtScore(column: QuantileColumn, from: UciClass, score: number): number {
  return interpolate(SCORES, PUBLISHED_QUANTILES[column][from], score);
}

/**
 * The normal score of a value: the other way round. A value that several quantiles share has the middle of their
 * scores.
 *
 * @example
 * ```ts
 * scoreOfValue('sc', 'ckd', 2.2) // => 0
 * scoreOfValue('sc', 'ckd', 99) === scoreOfValue('sc', 'ckd', 32) // => true
 * ```
 */
export function scoreOfValue(column: QuantileColumn, from: UciClass, value: number): number {
  const values: readonly number[] = PUBLISHED_QUANTILES[column][from];
  const first = values.indexOf(value);
  if (first >= 0) return (SCORES[first]! + SCORES[values.lastIndexOf(value)]!) / 2;
  return interpolate(values, SCORES, value);
}

/** y at x on the line through the points (xs, ys), xs rising; flat beyond the ends. */
export function interpolate(xs: readonly number[], ys: readonly number[], x: number): number {
  let right = 0;
  while (right < xs.length && !(x < xs[right]!)) right += 1;
  if (right === xs.length) return ys[right - 1]!;
  if (right === 0) return ys[0]!;
  const share = (x - xs[right - 1]!) / (xs[right]! - xs[right - 1]!);
  return ys[right - 1]! + share * (ys[right]! - ys[right - 1]!);
}
