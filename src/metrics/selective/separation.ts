import { selectiveMetric } from '../define-metric.ts';

/**
 * The chance that a right answer carries more confidence than a wrong one; ties count half.
 *
 * Formula: P(c_right > c_wrong) + P(c_right = c_wrong) / 2. All right or all wrong: null. Source: Hendrycks & Gimpel 2017.
 *
 * @example
 * ```ts
 * aurocConfidence().compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1, confidence: 0.9 }),
 *   evaluationResult({ prediction: 0, groundTruth: 1, confidence: 0.6 }),
 * ]).value // => 1
 * ```
 */
export const aurocConfidence = selectiveMetric(() => ({
  name: 'auroc_confidence',
  label: 'AUROC of Confidence',
  reads: 'above 0.5: higher confidence where right',
  formula: 'P(c right > c wrong) + P(equal) / 2',
  range: '0 to 1',
  misleads: 'Says nothing about how often the model is right.',
  better: 'higher',
  details: ({ nErrors }) => ({ n_errors: nErrors }),
  estimate: ({ size, count, errors, n, nErrors }) => {
    if (nErrors === 0 || nErrors === n) return 'one_class';
    let wrongBelow = nErrors;
    let favourable = 0;
    for (let b = 0; b < size; b++) {
      wrongBelow -= errors[b]!;
      favourable += (count[b]! - errors[b]!) * (wrongBelow + errors[b]! / 2);
    }
    return favourable / (nErrors * (n - nErrors));
  },
}));

/**
 * The share of wrong answers let through at the threshold that keeps 95 % of the right ones.
 *
 * Formula: positive = right; the highest threshold with TPR >= 0.95 - 1e-12; FPR there. All right or all wrong: null.
 *
 * @example
 * ```ts
 * fprAt95Tpr().compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1, confidence: 0.9 }),
 *   evaluationResult({ prediction: 0, groundTruth: 1, confidence: 0.6 }),
 * ]).value // => 0
 * ```
 */
export const fprAt95Tpr = selectiveMetric(({ tpr = 0.95 }: { tpr?: number }) => ({
  name: 'fpr_at_95_tpr',
  label: 'FPR at 95 % TPR',
  reads: 'wrong let through, keeping 95 % right',
  formula: 'wrong answers kept / wrong answers, when 95 % of the right ones are kept',
  range: '0 to 1',
  misleads: 'With few different confidences, 95 % may mean 100 %.',
  estimate: ({ size, count, errors, n, nErrors }) => {
    if (nErrors === 0 || nErrors === n) return 'one_class';
    let right = 0;
    let wrong = 0;
    for (let b = 0; b < size; b++) {
      right += count[b]! - errors[b]!;
      wrong += errors[b]!;
      if (right / (n - nErrors) >= tpr - 1e-12) break;
    }
    return wrong / nErrors;
  },
  details: () => ({ tpr }),
}));
