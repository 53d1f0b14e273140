import { confidenceMetric, NO_CONFIDENCE } from '../built-in.ts';

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
export function fprAt95Tpr({ tpr = 0.95 }: { tpr?: number } = {}) {
  return confidenceMetric({
    name: 'fpr_at_95_tpr',
    label: 'FPR at 95 % TPR',
    family: 'selective',
    reads: 'wrong let through, keeping 95 % right',
    better: 'lower',
    estimate: ({ confidence: { size, count, errors, n, nErrors } }) => {
      if (n === 0) return NO_CONFIDENCE;
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
  });
}
