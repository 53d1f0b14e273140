import { confidenceMetric } from '../built-in.ts';
import { outcomesOf } from '../outcomes.ts';

/**
 * The largest share of all rows that can be served while the selective risk stays within a limit.
 *
 * Formula: max coverage (of all rows) over distinct thresholds with selective risk <= r; 0 if there is none. No rows: null.
 * The threshold is chosen on the same rows, so the risk on new rows will be higher. Source: Geifman & El-Yaniv 2017.
 *
 * @example
 * ```ts
 * coverageAtRisk({ maxRisk: 0.05 }).compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1, confidence: 0.9 }),
 *   evaluationResult({ prediction: 0, groundTruth: 1, confidence: 0.6 }),
 * ]).value // => 0.5
 * ```
 */
export function coverageAtRisk({ maxRisk }: { maxRisk: number }) {
  const percent = String(Math.round(maxRisk * 100)).padStart(2, '0');
  return confidenceMetric({
    name: `coverage_at_risk_${percent}`,
    label: `Coverage at ${Number(percent)} % Risk`,
    family: 'selective',
    reads: `served with at most ${Number(percent)} % wrong`,
    better: 'higher',
    estimate: (sample) => {
      const { size, count, errors } = sample.confidence;
      const { n } = outcomesOf(sample);
      if (n === 0) return 'no_rows';
      let rows = 0;
      let wrong = 0;
      let best = 0;
      for (let b = 0; b < size; b++) {
        if (count[b] === 0) continue;
        rows += count[b]!;
        wrong += errors[b]!;
        if (wrong / rows <= maxRisk) best = rows;
      }
      return best / n;
    },
    details: () => ({ max_risk: maxRisk }),
  });
}
