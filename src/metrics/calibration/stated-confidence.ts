import { calibrationMetric, type UnanswerableOption } from '../define-metric.ts';

/**
 * Mean confidence minus share right: above 0 the model is surer than it should be, below 0 less sure.
 *
 * Formula: mean c - mean z. Nothing usable: null.
 *
 * @example
 * ```ts
 * overconfidence().compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1, confidence: 0.9 }),
 *   evaluationResult({ prediction: 0, groundTruth: 1, confidence: 0.6 }),
 * ]).value // => 0.25
 * ```
 */
export const overconfidence = calibrationMetric(({ strict }: UnanswerableOption) => ({
  name: 'overconfidence',
  label: 'Overconfidence',
  reads: 'above 0: too confident',
  formula: 'mean c - mean z',
  range: '-1 to 1',
  misleads: 'Opposite errors cancel.',
  follows: strict ? 4 : 5,
  better: null,
  estimate: ({ size, confidence, count, n, nErrors }) => {
    let sum = 0;
    for (let b = 0; b < size; b++) sum += count[b]! * confidence[b]!;
    return (sum - (n - nErrors)) / n;
  },
}));

/**
 * The mean confidence stated for wrong answers: how convincing the model is when it is mistaken.
 *
 * Formula: mean of c over usable rows with z = 0. No usable wrong answer: null. Read it with the accuracy: a model with one wrong answer may
 * have any value.
 *
 * @example
 * ```ts
 * confidenceWhenWrong().compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1, confidence: 0.9 }),
 *   evaluationResult({ prediction: 0, groundTruth: 1, confidence: 0.6 }),
 *   evaluationResult({ prediction: 0, groundTruth: 1, confidence: 0.8 }),
 * ]).value // => 0.7
 * ```
 */
export const confidenceWhenWrong = calibrationMetric(() => ({
  name: 'confidence_when_wrong',
  label: 'Confidence When Wrong',
  reads: 'mean confidence of wrong answers',
  formula: 'mean c of wrong answers',
  range: '0 to 1',
  misleads: 'Rests on the wrong answers alone, which may be few.',
  estimate: ({ size, confidence, errors, nErrors }) => {
    if (nErrors === 0) return 'no_wrong_answers';
    let sum = 0;
    for (let b = 0; b < size; b++) sum += errors[b]! * confidence[b]!;
    return sum / nErrors;
  },
  nEvaluated: ({ nErrors }) => nErrors,
}));

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
export const logLoss = calibrationMetric(({ eps = 1e-15 }: { eps?: number }) => ({
  name: 'log_loss',
  label: 'Log Loss',
  reads: 'punishes certain and wrong',
  formula: '-mean(z ln c + (1 - z) ln(1 - c))',
  range: 'from 0',
  misleads: 'One certain and wrong answer can decide it: finite only through `eps`.',
  estimate: ({ size, confidence, count, errors, n }) => {
    let sum = 0;
    for (let b = 0; b < size; b++) {
      const c = Math.min(1 - eps, Math.max(eps, confidence[b]!));
      sum -= (count[b]! - errors[b]!) * Math.log(c) + errors[b]! * Math.log(1 - c);
    }
    return sum / n;
  },
  details: ({ size, confidence, count, errors }) => {
    let clippedAndWrong = 0;
    for (let b = 0; b < size; b++) {
      if (confidence[b]! > 1 - eps) clippedAndWrong += errors[b]!;
      if (confidence[b]! < eps) clippedAndWrong += count[b]! - errors[b]!;
    }
    return { eps, n_clipped_and_wrong: clippedAndWrong };
  },
}));
