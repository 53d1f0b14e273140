import { confidenceMetric } from '../built-in.ts';
import type { ConfidenceBlocks } from '../confidence-blocks.ts';

/** Coverage and risk when only answers at least this confident are accepted. */
export interface CurvePoint {
  readonly threshold: number;
  readonly coverage: number;
  readonly selective_risk: number;
  readonly generalized_risk: number;
}

/** More points cannot be seen in a plot; the ends and every n-th point between them are kept. */
const MAX_POINTS = 1000;

/**
 * The risk-coverage curve as plot data in `details.points`: one point per distinct confidence, highest first, coverage relative to usable
 * rows. It is a curve, so `value` is null. Above 1,000 distinct confidences the points are thinned, and `details.n_distinct` says so.
 *
 * @example
 * ```ts
 * riskCoverageCurve().compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1, confidence: 0.9 }),
 *   evaluationResult({ prediction: 0, groundTruth: 1, confidence: 0.6 }),
 * ]).details.points
 * // => [
 * //   { threshold: 0.9, coverage: 0.5, selective_risk: 0, generalized_risk: 0 },
 * //   { threshold: 0.6, coverage: 1, selective_risk: 0.5, generalized_risk: 0.5 },
 * // ]
 * ```
 */
export function riskCoverageCurve() {
  return confidenceMetric({
    name: 'risk_coverage_curve',
    label: 'Risk-Coverage Curve',
    family: 'selective',
    reads: 'plot data, see details.points',
    better: null,
    resampling: 'none',
    estimate: () => 'a_curve_see_details',
    details: ({ confidence }) => {
      const points = curveOf(confidence);
      return { n_distinct: points.length, points: thin(points, MAX_POINTS) };
    },
  });
}

/** Every point of the curve. */
export function curveOf({ size, confidence, count, errors, n }: ConfidenceBlocks): CurvePoint[] {
  const points: CurvePoint[] = [];
  let rows = 0;
  let wrong = 0;
  for (let b = 0; b < size; b++) {
    if (count[b] === 0) continue;
    rows += count[b]!;
    wrong += errors[b]!;
    points.push({
      threshold: confidence[b]!,
      coverage: rows / n,
      selective_risk: wrong / rows,
      generalized_risk: wrong / n,
    });
  }
  return points;
}

/** At most `most` points: the ends, and evenly spaced points between them. */
export function thin(points: readonly CurvePoint[], most: number): readonly CurvePoint[] {
  if (points.length <= most) return points;
  const step = (points.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, i) => points[Math.round(i * step)]!);
}
