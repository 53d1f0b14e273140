import { confidenceMetric, NO_CONFIDENCE } from '../built-in.ts';
import { type Bins, equalWidth, gap } from './bins.ts';

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
export function maximumCalibrationError({ bins: nBins = 15 }: { bins?: number } = {}) {
  return confidenceMetric({
    name: 'maximum_calibration_error',
    label: 'Maximum Calibration Error',
    family: 'calibration',
    reads: 'gap in the worst bin',
    better: 'lower',
    estimate: ({ confidence }) => {
      if (confidence.n === 0) return NO_CONFIDENCE;
      const bins = equalWidth(confidence, nBins);
      return gap(bins, worst(bins));
    },
    details: ({ confidence }) => {
      if (confidence.n === 0) return { n_bins: nBins };
      const bins = equalWidth(confidence, nBins);
      return { n_bins: nBins, worst_bin: worst(bins), n_in_worst_bin: bins.count[worst(bins)] };
    },
  });
}

function worst(bins: Bins): number {
  let found = -1;
  bins.count.forEach((count, bin) => {
    if (count > 0 && (found < 0 || gap(bins, bin) > gap(bins, found))) found = bin;
  });
  return found;
}
