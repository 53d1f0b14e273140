import type { Interval } from '../../core/index.ts';
import { bcaInterval, percentileInterval, wilsonInterval } from '../../statistics/index.ts';

export interface Resampled {
  readonly estimate: number;
  /** NaN where a resample has no value. */
  readonly replicates: Float64Array;
  readonly jackknife: Float64Array;
  /** Questions behind the estimate. */
  readonly nQuestions: number;
  /** Whether the estimate is a share, so that 0 and 1 have a formula. */
  readonly proportion: boolean;
  readonly level: number;
}

/** More undefined resamples than this, and an interval would speak of the lucky ones only. */
const MAX_UNDEFINED = 0.05;

/** The bootstrap interval over questions (BCa, else percentile), or the reason why there is none. */
export function questionInterval(resampled: Resampled): Interval | string {
  const { estimate, nQuestions, proportion, level } = resampled;
  const defined = resampled.replicates.filter((value) => !Number.isNaN(value));
  const resamples = resampled.replicates.length;
  if (nQuestions < 2) return 'too_few_questions';
  if (resamples === 0) return 'resampling_off';
  if (resamples - defined.length > MAX_UNDEFINED * resamples) return 'undefined_in_resamples';
  if (defined.every((value) => value === defined[0])) {
    // Resampling cannot see beyond what it has seen; where all questions gave 0, or all 1, a formula can.
    if (!proportion || (estimate !== 0 && estimate !== 1)) return 'no_variation_in_resamples';
    const [lower, upper] = wilsonInterval(estimate * nQuestions, nQuestions, level)!;
    return { lower, upper, level, method: 'wilson_clusters', resamples: null, unit: 'question' };
  }
  const corrected = bcaInterval({ estimate, replicates: defined, jackknife: resampled.jackknife }, level);
  if (corrected !== null && corrected.z0 !== null) {
    const [lower, upper] = corrected.interval;
    return { lower, upper, level, method: 'bca', resamples, unit: 'question' };
  }
  const [lower, upper] = percentileInterval(defined, level)!;
  return { lower, upper, level, method: 'percentile', resamples, unit: 'question' };
}
