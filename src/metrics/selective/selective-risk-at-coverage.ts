import { confidenceMetric, NO_CONFIDENCE } from '../built-in.ts';
import { outcomesOf } from '../outcomes.ts';

export interface RiskAtCoverageOptions {
  /** Between 0 and 1. */
  readonly coverage: number;
  /** What coverage is a share of: all rows (default), or the usable ones. */
  readonly base?: 'all' | 'answered';
}

/**
 * The share of wrong answers when only the most confident rows are served, as many as the wanted coverage takes.
 *
 * Formula: k = ceil(q n - 1e-9) most confident usable rows, a tied block at the cut counted pro rata; errors / k. When k exceeds the usable
 * rows it is null with `coverage_unreachable`: a model that abstains on a fifth cannot serve nine tenths.
 *
 * @example
 * ```ts
 * const rows = [
 *   evaluationResult({ prediction: 1, groundTruth: 1, confidence: 0.9 }),
 *   evaluationResult({ prediction: 0, groundTruth: 1, confidence: 0.6 }),
 * ];
 * selectiveRiskAtCoverage({ coverage: 0.5 }).compute(rows).value // => 0
 * selectiveRiskAtCoverage({ coverage: 0.8 }).compute(rows).value // => 0.5
 * ```
 */
export function selectiveRiskAtCoverage({ coverage, base = 'all' }: RiskAtCoverageOptions) {
  const percent = Math.round(coverage * 100);
  return confidenceMetric({
    name: `selective_risk_at_coverage_${percent}`,
    label: `Selective Risk at ${percent} % Coverage`,
    family: 'selective',
    reads: `wrong, serving the surest ${percent} %`,
    better: 'lower',
    estimate: (sample) => {
      const { size, count, errors, n } = sample.confidence;
      const rows = base === 'all' ? outcomesOf(sample).n : n;
      if (rows === 0) return 'no_rows';
      if (n === 0) return NO_CONFIDENCE;
      const k = Math.ceil(coverage * rows - 1e-9);
      if (k > n) return 'coverage_unreachable';
      if (k === 0) return 'nothing_served';
      let served = 0;
      let wrong = 0;
      for (let b = 0; b < size && served < k; b++) {
        if (count[b] === 0) continue;
        const taken = Math.min(count[b]!, k - served);
        served += taken;
        wrong += (errors[b]! * taken) / count[b]!;
      }
      return wrong / k;
    },
    details: () => ({ coverage, base }),
  });
}
