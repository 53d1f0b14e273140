import { normalQuantile } from '../../../statistics/special-functions.ts';
import { roundToStep } from '../../cohort/distributions.ts';
import type { UciClass, UciFeature } from '../source/columns.ts';
import design from './design.json' with { type: 'json' };
import data from './published.json' with { type: 'json' };

/**
 * What is published of the UCI Chronic Kidney Disease data, with implausible cells left out. `published.json` holds the numbers and names the source.
 */

export type QuantileColumn = keyof typeof data.quantiles;
export type FrequencyColumn = keyof typeof data.frequencies;

/** Rows per class. */
export const PUBLISHED_ROWS: Readonly<Record<UciClass, number>> = data.rows;

/**
 * Quantiles of the numeric columns by class, by linear interpolation (type 7). One value is ours: the source's largest blood pressures, 140 and 180, are in a column
 * that is otherwise diastolic and look systolic, so the `ckd` column of `bp` ends at 120.
 */
export const PUBLISHED_QUANTILES = data.quantiles;

/** The cumulative probabilities of those quantiles. */
export const QUANTILE_PROBABILITIES: readonly number[] = data.probabilities;

/**
 * Spearman rank correlations between the columns in the rows of class ckd (pairs of measured cells, average ranks; a categorical column is 1 for its abnormal word).
 * Each column has its correlations with the columns before it.
 *
 * The rows of the other class are not used: there haemoglobin and packed cell volume correlate at 0.04, urea and creatinine at -0.10, as independent draws would.
 * The physiology behind a correlation does not end with health.
 */
export const PUBLISHED_SPEARMAN: Readonly<Record<UciFeature, readonly number[]>> = data.spearman;

/** Rows of class ckd per level, lowest level first. (Every row of the other class has 0 sugar, and 1.020 or 1.025.) */
export const PUBLISHED_LEVELS = data.levels;

/** The two words of a column, and how many of the class ckd rows that have a value (`of`) have the abnormal one. (In the other class none has it, in any column.) */
export const PUBLISHED_FREQUENCIES = data.frequencies;

/** Missing cells per column and class. */
export const PUBLISHED_MISSING: Readonly<Record<UciFeature, Readonly<Record<UciClass, number>>>> =
  data.missing;

/**
 * The step in which each value is reported. Steps follow the source (blood pressure in tens, white cells in hundreds)
 * with one exception: creatinine has two decimals instead of one, because at 1.0 mg/dL a step of 0.1 is worth up to
 * 10 mL/min/1.73 m2 of eGFR and would decide the stage.
 */
export const REPORTED_STEP: Readonly<Record<QuantileColumn, number>> = design.reportedStep;

/**
 * An albumin-creatinine ratio as laboratories print it: one decimal below 10 mg/g, whole numbers from there.
 *
 * @example
 * ```ts
 * reportedAcr(4.449) // => 4.4
 * reportedAcr(29.6) // => 30
 * ```
 */
export function reportedAcr(mgPerG: number): number {
  return roundToStep(mgPerG, mgPerG < 10 ? 0.1 : 1);
}

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
