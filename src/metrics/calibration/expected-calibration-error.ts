import { DEFAULT_SEED } from '../../statistics/index.ts';
import { confidenceMetric, NO_CONFIDENCE } from '../built-in.ts';
import { type Bins, equalWidth, gap, weightedGap } from './bins.ts';
import { nullBand } from './null-band.ts';

/**
 * The mean distance between stated confidence and share right, over equal-width bins.
 *
 * Formula: sum over bins of (n_b / n) |mean z - mean c|, 15 bins, z = 1 where right. Nothing usable: null; empty bins are skipped.
 * Small samples give high values even for a perfectly calibrated model: `details.null_band` says how high. A diagnostic, not a score to rank
 * models by. Sources: Naeini 2015, Guo 2017.
 *
 * @example
 * ```ts
 * expectedCalibrationError().compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1, confidence: 0.9 }),
 *   evaluationResult({ prediction: 0, groundTruth: 1, confidence: 0.6 }),
 * ]).value // => 0.35
 * ```
 */
export function expectedCalibrationError({ bins: nBins = 15 }: { bins?: number } = {}) {
  return confidenceMetric({
    name: 'expected_calibration_error',
    label: 'Expected Calibration Error',
    family: 'calibration',
    reads: 'gap of confidence and truth',
    better: 'lower',
    estimate: ({ confidence }) =>
      confidence.n === 0 ? NO_CONFIDENCE : weightedGap(equalWidth(confidence, nBins)),
    details: (sample, options) => ({
      n_bins: nBins,
      bins: describe(equalWidth(sample.confidence, nBins)),
      null_band:
        options.nullBand === false ? null : nullBand(sample.confidence, nBins, options.seed ?? DEFAULT_SEED),
    }),
  });
}

function describe(bins: Bins) {
  const nBins = bins.count.length;
  return Array.from(bins.count, (count, bin) => ({
    bin,
    low: bin / nBins,
    high: (bin + 1) / nBins,
    count,
    mean_confidence: count === 0 ? null : bins.confidence[bin]! / count,
    accuracy: count === 0 ? null : bins.correct[bin]! / count,
    gap: count === 0 ? null : gap(bins, bin),
  }));
}
