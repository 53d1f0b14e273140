import type { ConfidenceBlocks } from '../confidence-blocks.ts';
import {
  type Bar,
  type Bins,
  buildBars,
  equalMass,
  equalWidth,
  gap,
  weightedGap,
} from '../confidence-summaries.ts';
import { calibrationMetric, type UnanswerableOption } from '../define-metric.ts';
import { nullBand } from './null-band.ts';

interface BinOptions {
  /** How many bins. Default: 15. */
  readonly bins?: number;
}

/**
 * The mean distance between stated confidence and share right, over equal-width bins.
 *
 * Formula: sum over bins of (n_b / n) |mean z - mean c|, 15 bins, z = 1 where right. Nothing usable: null; empty bins are skipped.
 * Small samples give high values even for a perfectly calibrated model: `details.null_band` says how high, and how likely the observed value is then. It has no
 * interval: bootstrap intervals of a calibrated model never cover its true value, 0. A diagnostic, not a score to rank models by. Sources: Naeini 2015, Guo 2017.
 *
 * @example
 * ```ts
 * expectedCalibrationError().compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1, confidence: 0.9 }),
 *   evaluationResult({ prediction: 0, groundTruth: 1, confidence: 0.6 }),
 * ]).value // => 0.35
 * ```
 */
export const expectedCalibrationError = calibrationMetric(
  ({ bins: nBins = 15, strict }: BinOptions & UnanswerableOption) => ({
    name: 'expected_calibration_error',
    label: 'Expected Calibration Error',
    reads: 'gap of confidence and truth',
    formula: 'sum over 15 bins of (n_b / n) abs(mean z - mean c)',
    range: '0 to 1',
    misleads:
      'Small samples read high: compare it with the noise floor in `details.null_band`. Not for ranking.',
    follows: strict ? 2 : 3,
    ...(strict ? { endpoint: 18 } : { compared: { table: 'confidence', place: 5, title: 'ECE' } as const }),
    // n ECE is a sum of |sum of z - c| over bins, and one row moves one of these sums by at most 1.
    ...(!strict && {
      movedBy: (value: number, n: number, m: number) => ({
        lower: Math.max(0, n * value - m) / (n + m),
        upper: Math.min(1, (n * value + m) / (n + m)),
      }),
    }),
    resampling: 'not_valid',
    estimate: (blocks, sample) =>
      sample.onceOn(blocks, `gap in ${nBins} bins`, () => weightedGap(equalWidth(blocks, nBins))),
    details: (blocks, sample, options) => {
      const bins = equalWidth(blocks, nBins);
      const describe = (bar: Bar, bin: number) => ({
        bin,
        ...bar,
        gap: bar.count === 0 ? null : gap(bins, bin),
      });
      const computeError = (drawn: ConfidenceBlocks) => weightedGap(equalWidth(drawn, nBins));
      const band = nullBand(blocks, { computeError, sample, options });
      return {
        n_bins: nBins,
        bins: buildBars(bins).map(describe),
        // Also under the names that are specific to this error.
        null_band: band && { ...band, ece_null_mean: band.null_mean, ece_null_p95: band.null_p95 },
      };
    },
  }),
);

/**
 * Calibration error over bins of equal mass, which is less biased than equal width when confidences crowd together.
 *
 * Formula: bin(i) = floor(M #{c_j < c_i} / n), then the same weighted gap. Tied confidences share a bin; with fewer rows than bins every
 * distinct value has its own. Nothing usable: null. Sources: Nixon 2019, Roelofs 2022.
 *
 * @example
 * ```ts
 * adaptiveCalibrationError({ bins: 2 }).compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1, confidence: 0.9 }),
 *   evaluationResult({ prediction: 0, groundTruth: 1, confidence: 0.6 }),
 * ]).value // => 0.35
 * ```
 */
export const adaptiveCalibrationError = calibrationMetric(({ bins = 15 }: BinOptions) => ({
  name: 'adaptive_calibration_error',
  label: 'Adaptive Calibration Error',
  reads: 'the same gap, equal-mass bins',
  formula: 'the same over bins with equal numbers of cases',
  range: '0 to 1',
  misleads: 'Small samples read high.',
  resampling: 'not_valid',
  estimate: (blocks) => weightedGap(equalMass(blocks, bins)),
  details: (blocks, sample, options) => {
    const computeError = (drawn: ConfidenceBlocks) => weightedGap(equalMass(drawn, bins));
    return { n_bins: bins, null_band: nullBand(blocks, { computeError, sample, options }) };
  },
}));

/**
 * The largest gap of any non-empty equal-width bin. A single row in a bin can determine it: check `details.n_in_worst_bin`.
 *
 * Formula: max over bins of |mean z - mean c|. Nothing usable: null. Source: Naeini 2015.
 *
 * @example
 * ```ts
 * maximumCalibrationError().compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1, confidence: 0.9 }),
 *   evaluationResult({ prediction: 0, groundTruth: 1, confidence: 0.6 }),
 * ]).value // => 0.6
 * ```
 */
export const maximumCalibrationError = calibrationMetric(({ bins: nBins = 15 }: BinOptions) => ({
  name: 'maximum_calibration_error',
  label: 'Maximum Calibration Error',
  reads: 'gap in the worst bin',
  formula: 'largest gap of a bin',
  range: '0 to 1',
  misleads: 'One case alone in a bin can set it.',
  resampling: 'not_valid',
  estimate: (blocks) => largestGap(blocks, nBins),
  details: (blocks, sample, options) => {
    if (blocks.n === 0) return { n_bins: nBins };
    const bins = equalWidth(blocks, nBins);
    return {
      n_bins: nBins,
      worst_bin: worst(bins),
      n_in_worst_bin: bins.count[worst(bins)],
      null_band: nullBand(blocks, { computeError: (drawn) => largestGap(drawn, nBins), sample, options }),
    };
  },
}));

function largestGap(blocks: ConfidenceBlocks, nBins: number): number {
  const bins = equalWidth(blocks, nBins);
  return gap(bins, worst(bins));
}

function worst(bins: Bins): number {
  let found = -1;
  bins.count.forEach((count, bin) => {
    if (count > 0 && (found < 0 || gap(bins, bin) > gap(bins, found))) found = bin;
  });
  return found;
}

/**
 * Root-mean-square calibration error with the sampling noise of each bin subtracted.
 *
 * Formula: sqrt(max(0, sum_b (n_b / n) [(mean z - mean c)^2 - mean z (1 - mean z) / (n_b - 1)])), equal-width bins. A bin with one row
 * contributes 0. Nothing usable: null. Source: Kumar, Liang & Ma 2019.
 *
 * @example
 * ```ts
 * expectedCalibrationErrorDebiased().compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1, confidence: 0.9 }),
 *   evaluationResult({ prediction: 1, groundTruth: 1, confidence: 0.9 }),
 * ]).value // => 0.1
 * ```
 */
export const expectedCalibrationErrorDebiased = calibrationMetric(({ bins: nBins = 15 }: BinOptions) => ({
  name: 'expected_calibration_error_debiased',
  label: 'Calibration Error (debiased, L2)',
  reads: 'gap with sampling noise taken off',
  formula: 'sqrt(max(0, sum (n_b / n) (gap^2 - z (1 - z) / (n_b - 1))))',
  range: '0 to 1',
  misleads: 'Bins with one case say nothing.',
  // A resample adds back the noise that the statistic removes.
  resampling: 'not_valid',
  estimate: (blocks) => {
    const bins = equalWidth(blocks, nBins);
    let sum = 0;
    for (let bin = 0; bin < nBins; bin++) {
      const n = bins.count[bin]!;
      if (n < 2) continue;
      const z = bins.correct[bin]! / n;
      const gap = z - bins.confidence[bin]! / n;
      sum += (n / bins.n) * (gap * gap - (z * (1 - z)) / (n - 1));
    }
    return Math.sqrt(Math.max(0, sum));
  },
  details: () => ({ n_bins: nBins, norm: 'l2' }),
}));
