import { confidenceMetric, NO_CONFIDENCE } from '../built-in.ts';
import { equalWidth } from './bins.ts';

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
export function expectedCalibrationErrorDebiased({ bins: nBins = 15 }: { bins?: number } = {}) {
  return confidenceMetric({
    name: 'expected_calibration_error_debiased',
    label: 'Calibration Error (debiased, L2)',
    family: 'calibration',
    reads: 'gap with sampling noise taken off',
    better: 'lower',
    estimate: ({ confidence }) => {
      if (confidence.n === 0) return NO_CONFIDENCE;
      const bins = equalWidth(confidence, nBins);
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
  });
}
