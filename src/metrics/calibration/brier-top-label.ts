import { confidenceMetric, NO_CONFIDENCE } from '../built-in.ts';
import type { Sample } from '../sample.ts';

/**
 * The mean squared distance between stated confidence and being right, for any number of classes.
 *
 * Formula: mean (c - z)^2. Nothing usable: null. A proper score: prefer it to ECE for ranking models.
 *
 * @example
 * ```ts
 * brierTopLabel().compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1, confidence: 0.9 }),
 *   evaluationResult({ prediction: 0, groundTruth: 1, confidence: 0.6 }),
 * ]).value // => 0.185
 * ```
 */
export function brierTopLabel() {
  return confidenceMetric({
    name: 'brier_top_label',
    label: 'Brier Score (top label)',
    family: 'calibration',
    reads: 'squared error of confidence',
    better: 'lower',
    estimate: (sample) => (sample.confidence.n === 0 ? NO_CONFIDENCE : meanSquare(sample)),
  });
}

/** mean (c - z)^2 over the usable rows. */
export function meanSquare(sample: Sample): number {
  return sample.once(meanSquare, squareOverBlocks);
}

function squareOverBlocks({ confidence: { size, confidence, count, errors, n } }: Sample): number {
  let sum = 0;
  for (let b = 0; b < size; b++) {
    const c = confidence[b]!;
    sum += (count[b]! - errors[b]!) * (1 - c) * (1 - c) + errors[b]! * c * c;
  }
  return sum / n;
}
