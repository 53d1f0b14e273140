import { confidenceMetric, NO_CONFIDENCE } from '../built-in.ts';

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
export function aurocConfidence() {
  return confidenceMetric({
    name: 'auroc_confidence',
    label: 'AUROC of Confidence',
    family: 'selective',
    reads: 'right answers are surer: 0.5 chance',
    better: 'higher',
    estimate: ({ confidence: { size, count, errors, n, nErrors } }) => {
      if (n === 0) return NO_CONFIDENCE;
      if (nErrors === 0 || nErrors === n) return 'one_class';
      let wrongBelow = nErrors;
      let favourable = 0;
      for (let b = 0; b < size; b++) {
        wrongBelow -= errors[b]!;
        favourable += (count[b]! - errors[b]!) * (wrongBelow + errors[b]! / 2);
      }
      return favourable / (nErrors * (n - nErrors));
    },
  });
}
