import { FEW_RESAMPLES } from '../../statistics/score-options.ts';
import type { ConfidenceBlocks } from '../confidence-blocks.ts';
import { calibrationMetric } from '../define-metric.ts';
import { nullBand } from './null-band.ts';

/** Points at which the smoothed residual is integrated; the error this leaves is below 1e-4. */
const GRID = 500;
const NARROWEST = 1e-3;

/**
 * Calibration error without bins: residuals are smoothed with a Gaussian kernel reflected at 0 and 1, and the kernel width is the error itself.
 *
 * Formula: smECE_s = integral over t in [0, 1] of |(1/n) sum_i (c_i - z_i) K_s(t, c_i)|; reported is the fixed point s = smECE_s, found by
 * bisection on [0.001, 1]. Never below |mean c - mean z|. Nothing usable: null. Source: Blasiok & Nakkiran 2024.
 *
 * @example
 * ```ts
 * Math.round(smoothCalibrationError().compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1, confidence: 0.9 }),
 *   evaluationResult({ prediction: 0, groundTruth: 1, confidence: 0.6 }),
 * ]).value! * 1000) / 1000 // => 0.25
 * ```
 */
export const smoothCalibrationError = calibrationMetric(() => ({
  name: 'smooth_calibration_error',
  label: 'Smooth Calibration Error',
  reads: 'the gap without bins',
  formula: 'fixed point of the kernel-smoothed gap',
  range: '0 to 1',
  misleads: 'Never below the absolute overconfidence. Small samples read high.',
  resampling: 'not_valid',
  estimate: (blocks) => fixedPoint(new Smoother(blocks)),
  details: (blocks, sample, options) => ({
    null_band: nullBand(blocks, {
      computeError: (drawn) => fixedPoint(new Smoother(drawn)),
      sample,
      options,
      simulations: FEW_RESAMPLES,
    }),
  }),
}));

function fixedPoint(smoother: Smoother): number {
  let low = NARROWEST;
  let high = 1;
  // smECE falls as the kernel widens, so there is one crossing.
  while (high - low > 1e-6) {
    const middle = (low + high) / 2;
    if (smoother.error(middle) > middle) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * A Gaussian reflected at both ends is diagonal in the cosine basis: smoothing by width s multiplies the k-th coefficient of the residuals by
 * exp(-(pi k s)^2 / 2). Coefficients are computed once, up to the narrowest kernel requested.
 */
class Smoother {
  readonly #blocks: ConfidenceBlocks;
  readonly #coefficients: number[] = [];
  readonly #residuals: Float64Array;

  constructor(blocks: ConfidenceBlocks) {
    this.#blocks = blocks;
    this.#residuals = blocks.confidence.map(
      (c, b) => (c * blocks.count[b]! - (blocks.count[b]! - blocks.errors[b]!)) / blocks.n,
    );
  }

  error(width: number): number {
    const terms = Math.ceil(6 / (Math.PI * width));
    while (this.#coefficients.length <= terms)
      this.#coefficients.push(this.#coefficient(this.#coefficients.length));
    const damped = this.#coefficients
      .slice(0, terms + 1)
      .map((a, k) => (k === 0 ? a : 2 * a * Math.exp(-((Math.PI * k * width) ** 2) / 2)));
    let integral = 0;
    for (let g = 0; g < GRID; g++) integral += Math.abs(cosineSum(damped, (g + 0.5) / GRID));
    return integral / GRID;
  }

  #coefficient(k: number): number {
    const { size, confidence } = this.#blocks;
    let sum = 0;
    for (let b = 0; b < size; b++) sum += this.#residuals[b]! * Math.cos(Math.PI * k * confidence[b]!);
    return sum;
  }
}

/** sum_k a_k cos(pi k t), by Clenshaw's recurrence. */
function cosineSum(a: readonly number[], t: number): number {
  const twice = 2 * Math.cos(Math.PI * t);
  let next = 0;
  let afterNext = 0;
  for (let k = a.length - 1; k > 0; k--) {
    const current = a[k]! + twice * next - afterNext;
    afterNext = next;
    next = current;
  }
  return a[0]! + (twice / 2) * next - afterNext;
}
