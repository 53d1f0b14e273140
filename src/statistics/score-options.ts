import { argumentError } from '../core/errors.ts';
import type { Stratum } from '../core/patient-record.ts';

/** How scores get their intervals. Results record the values used, defaults included. */
export interface ScoreOptions {
  /** Number of bootstrap resamples, at most 100,000; 0 turns bootstrap intervals off. Default: 2,000, fewer above 10,000 rows. */
  readonly resamples?: number;
  /** Two-sided confidence level. Default: 0.95. */
  readonly level?: number;
  /** Seed of the random numbers. Default: 42. */
  readonly seed?: number;
  /** Resample whole clusters: rows that share the value of this metadata key, or the record id (`'id'`). Where several records were asked in one call, the call is the cluster unless this key makes fewer. Default: the call, else `'id'` when a record has several rows, otherwise single rows. */
  readonly cluster?: string;
  /** Resample within each true class, for suites whose class counts were fixed by design. Default: false. */
  readonly stratify?: boolean;
  /** What to break scores down by. Default: the stratum of the first domain that declares one. */
  readonly stratum?: Stratum;
  /** Values by stratum, such as `stage_3`. Default: true. */
  readonly breakdown?: boolean;
  /** Report the distribution of ECE under perfect calibration beside ECE. Default: true. */
  readonly nullBand?: boolean;
}

export const DEFAULT_LEVEL = 0.95;
export const DEFAULT_SEED = 42;
const DEFAULT_RESAMPLES = 2000;
/** More would take memory and time without a visible effect on an interval. */
export const MAX_RESAMPLES = 100_000;
/** Above this, intervals are percentile, with fewer resamples. */
export const BCA_MAX_ROWS = 10_000;
/** From this number of rows or clusters on, the jackknife of BCa leaves out groups of them. */
export const GROUPED_JACKKNIFE_FROM = 1000;
/** Resamples for metrics marked `few`. */
export const FEW_RESAMPLES = 200;

/** The number of resamples for `n` rows when none is given. */
export function defaultResamples(n: number): number {
  if (n <= BCA_MAX_ROWS) return DEFAULT_RESAMPLES;
  return Math.max(FEW_RESAMPLES, Math.round((DEFAULT_RESAMPLES * BCA_MAX_ROWS) / n));
}

/** @throws KrisisError for a number of resamples that is not whole, or above {@link MAX_RESAMPLES}. */
export function checkResamples(resamples: number): number {
  if (Number.isInteger(resamples) && resamples >= 0 && resamples <= MAX_RESAMPLES) return resamples;
  throw argumentError(
    `resamples is ${resamples}; expected a whole number from 0 to ${MAX_RESAMPLES}`,
    resamples,
  );
}
