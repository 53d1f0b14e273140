import { confidenceMetric, NO_CONFIDENCE } from '../built-in.ts';
import { equalMass, weightedGap } from './bins.ts';

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
export function adaptiveCalibrationError({ bins = 15 }: { bins?: number } = {}) {
  return confidenceMetric({
    name: 'adaptive_calibration_error',
    label: 'Adaptive Calibration Error',
    family: 'calibration',
    reads: 'the same gap, equal-mass bins',
    better: 'lower',
    estimate: ({ confidence }) =>
      confidence.n === 0 ? NO_CONFIDENCE : weightedGap(equalMass(confidence, bins)),
    details: () => ({ n_bins: bins }),
  });
}
