import { confidenceMetric, NO_CONFIDENCE } from '../built-in.ts';
import type { ConfidenceBlocks } from '../confidence-blocks.ts';

/**
 * The area under the generalised risk-coverage curve: the mean risk of an undetected failure. The headline of selective prediction.
 *
 * Formula: trapezoid of (wrong answers accepted / n) over coverage, from (0, 0), one point per distinct confidence. A tied block is a straight
 * segment, which is the exact expectation. All right: 0; all wrong: 0.5; nothing usable: null. Source: Traub 2024.
 *
 * @example
 * ```ts
 * augrc().compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1, confidence: 0.9 }),
 *   evaluationResult({ prediction: 0, groundTruth: 1, confidence: 0.6 }),
 * ]).value // => 0.125
 * ```
 */
export function augrc() {
  return confidenceMetric({
    name: 'augrc',
    label: 'AUGRC',
    family: 'selective',
    reads: 'mean risk of an undetected failure',
    better: 'lower',
    estimate: ({ confidence }) => (confidence.n === 0 ? NO_CONFIDENCE : generalisedArea(confidence)),
  });
}

/**
 * AUGRC less the best possible at the same error rate e: augrc - e^2 / 2, never below 0. Nothing usable: null. Source: Traub 2024.
 *
 * @example
 * ```ts
 * eAugrc().compute([evaluationResult({ prediction: 0, groundTruth: 1, confidence: 0.9 })]).value // => 0
 * ```
 */
export function eAugrc() {
  return confidenceMetric({
    name: 'e_augrc',
    label: 'Excess AUGRC',
    family: 'selective',
    reads: 'AUGRC above the best ranking',
    better: 'lower',
    estimate: ({ confidence }) => {
      if (confidence.n === 0) return NO_CONFIDENCE;
      const errorRate = confidence.nErrors / confidence.n;
      return Math.max(0, generalisedArea(confidence) - (errorRate * errorRate) / 2);
    },
  });
}

function generalisedArea({ size, count, errors, n }: ConfidenceBlocks): number {
  let before = 0;
  let sum = 0;
  for (let b = 0; b < size; b++) {
    sum += count[b]! * (before + errors[b]! / 2);
    before += errors[b]!;
  }
  return sum / (n * n);
}
