import type { Stratum } from '../core/index.ts';

/** How scores get their intervals. Every default is written into the result. */
export interface ScoreOptions {
  /** Bootstrap resamples; 0 leaves bootstrap intervals out. Unset: 2,000, and fewer above 10,000 rows. */
  readonly resamples?: number;
  /** Two-sided confidence level. */
  readonly level?: number;
  readonly seed?: number;
  /** Draw whole clusters: rows with the same value of this metadata key, or of the record id (`'id'`), belong together. */
  readonly cluster?: string;
  /** Draw within each true class, for suites whose class counts were fixed by design. */
  readonly stratify?: boolean;
  /** What to break scores down by. Default: the stratum of the first domain that declares one. */
  readonly stratum?: Stratum;
  /** Values by stratum, such as `stage_3`. Default: true. */
  readonly breakdown?: boolean;
  /** The chance distribution of ECE beside it. */
  readonly nullBand?: boolean;
}

export const DEFAULT_LEVEL = 0.95;
export const DEFAULT_SEED = 42;
const DEFAULT_RESAMPLES = 2000;
/** The jackknife of BCa costs a run per row: above this, percentile intervals with fewer resamples. */
export const BCA_MAX_ROWS = 10_000;
/** Resamples for metrics marked `few`. */
export const FEW_RESAMPLES = 200;

/** How many resamples `n` rows get when nobody said. */
export function defaultResamples(n: number): number {
  if (n <= BCA_MAX_ROWS) return DEFAULT_RESAMPLES;
  return Math.max(FEW_RESAMPLES, Math.round((DEFAULT_RESAMPLES * BCA_MAX_ROWS) / n));
}
