import { confidenceMetric, NO_CONFIDENCE } from '../built-in.ts';

/**
 * The mean negative log probability given to what happened.
 *
 * Formula: -mean[z ln c' + (1 - z) ln(1 - c')], c' clipped to [eps, 1 - eps]. A certain and wrong answer is finite only through eps, so eps and
 * the number of such rows are part of the result. Nothing usable: null.
 *
 * @example
 * ```ts
 * logLoss().compute([evaluationResult({ prediction: 1, groundTruth: 1, confidence: 0.5 })]).value // => 0.6931471805599453
 * ```
 */
export function logLoss({ eps = 1e-15 }: { eps?: number } = {}) {
  return confidenceMetric({
    name: 'log_loss',
    label: 'Log Loss',
    family: 'calibration',
    reads: 'punishes certain and wrong',
    better: 'lower',
    estimate: ({ confidence: { size, confidence, count, errors, n } }) => {
      if (n === 0) return NO_CONFIDENCE;
      let sum = 0;
      for (let b = 0; b < size; b++) {
        const c = Math.min(1 - eps, Math.max(eps, confidence[b]!));
        sum -= (count[b]! - errors[b]!) * Math.log(c) + errors[b]! * Math.log(1 - c);
      }
      return sum / n;
    },
    details: ({ confidence: { size, confidence, count, errors } }) => {
      let clippedAndWrong = 0;
      for (let b = 0; b < size; b++) {
        if (confidence[b]! > 1 - eps) clippedAndWrong += errors[b]!;
        if (confidence[b]! < eps) clippedAndWrong += count[b]! - errors[b]!;
      }
      return { eps, n_clipped_and_wrong: clippedAndWrong };
    },
  });
}
