import { confidenceMetric, NO_CONFIDENCE } from '../built-in.ts';
import type { Sample } from '../sample.ts';
import { meanSquare } from './brier-top-label.ts';

export interface BrierParts {
  readonly brier: number;
  readonly reliability: number;
  readonly resolution: number;
  readonly uncertainty: number;
  /** 1 - brier / uncertainty; null when every answer is right, or every one wrong. */
  readonly skill: number | null;
}

/**
 * Murphy's decomposition of the top-label Brier score; the value is the skill.
 *
 * Formula, grouped by distinct confidence g: reliability = sum n_g (c_g - z_g)^2 / n; resolution = sum n_g (z_g - z)^2 / n;
 * uncertainty = z (1 - z); brier = reliability - resolution + uncertainty exactly; skill = 1 - brier / uncertainty (null at
 * uncertainty 0). It is never binned: that would leave a residual. Sources: Murphy 1973, Stephenson 2008.
 *
 * @example
 * ```ts
 * brierDecomposition().compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1, confidence: 0.5 }),
 *   evaluationResult({ prediction: 0, groundTruth: 1, confidence: 0.5 }),
 * ]).details // => { brier: 0.25, reliability: 0, resolution: 0, uncertainty: 0.25, skill: 0 }
 * ```
 */
export function brierDecomposition() {
  return confidenceMetric({
    name: 'brier_decomposition',
    label: 'Brier Skill',
    family: 'calibration',
    reads: 'above 0: better than a constant',
    better: 'higher',
    estimate: (sample) => {
      const { n, nErrors } = sample.confidence;
      if (n === 0) return NO_CONFIDENCE;
      const uncertainty = uncertaintyOf(n, nErrors);
      return uncertainty === 0 ? 'no_uncertainty' : 1 - meanSquare(sample) / uncertainty;
    },
    details: (sample) => (sample.confidence.n === 0 ? {} : { ...brierParts(sample) }),
  });
}

export function brierParts(sample: Sample): BrierParts {
  const { size, confidence, count, errors, n, nErrors } = sample.confidence;
  const mean = (n - nErrors) / n;
  let reliability = 0;
  let resolution = 0;
  for (let b = 0; b < size; b++) {
    if (count[b] === 0) continue;
    const z = (count[b]! - errors[b]!) / count[b]!;
    reliability += count[b]! * (confidence[b]! - z) ** 2;
    resolution += count[b]! * (z - mean) ** 2;
  }
  const uncertainty = uncertaintyOf(n, nErrors);
  const brier = meanSquare(sample);
  return {
    brier,
    reliability: reliability / n,
    resolution: resolution / n,
    uncertainty,
    skill: uncertainty === 0 ? null : 1 - brier / uncertainty,
  };
}

function uncertaintyOf(n: number, nErrors: number): number {
  return ((n - nErrors) / n) * (nErrors / n);
}
