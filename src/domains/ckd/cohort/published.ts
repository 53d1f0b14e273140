import type { UciClass, UciFeature } from '../source/columns.ts';
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
