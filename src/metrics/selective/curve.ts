import type { ConfidenceBlocks } from '../confidence-blocks.ts';

/** Coverage and risk when only answers at least this confident are accepted. */
export interface CurvePoint {
  readonly threshold: number;
  readonly coverage: number;
  readonly selective_risk: number;
  readonly generalized_risk: number;
}

/** Every point of the curve. */
export function curveOf(blocks: ConfidenceBlocks): CurvePoint[] {
  const points: CurvePoint[] = [];
  lowerThreshold(blocks, (rows, wrong, b) =>
    points.push({
      threshold: blocks.confidence[b]!,
      coverage: rows / blocks.n,
      selective_risk: wrong / rows,
      generalized_risk: wrong / blocks.n,
    }),
  );
  return points;
}

/** Visits the distinct confidences from the highest down, with how many rows are at least that confident and how many of them are wrong. */
export function lowerThreshold(
  { size, count, errors }: ConfidenceBlocks,
  visit: (rows: number, wrong: number, block: number) => void,
): void {
  let rows = 0;
  let wrong = 0;
  for (let b = 0; b < size; b++) {
    if (count[b] === 0) continue;
    rows += count[b]!;
    wrong += errors[b]!;
    visit(rows, wrong, b);
  }
}

/** At most `most` points: the ends, and evenly spaced points between them. */
export function thin(points: readonly CurvePoint[], most: number): readonly CurvePoint[] {
  if (points.length <= most) return points;
  const step = (points.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, i) => points[Math.round(i * step)]!);
}
