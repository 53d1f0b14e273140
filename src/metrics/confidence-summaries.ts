import type { ConfidenceBlocks } from './confidence-blocks.ts';

/** Usable rows gathered into bins: how many, the sum of their confidences, and how many are right. */
export interface Bins {
  readonly n: number;
  readonly count: Float64Array;
  readonly confidence: Float64Array;
  readonly correct: Float64Array;
}

/** Equal-width bins, closed on the left, the last one closed at 1: index = min(M - 1, floor(c M + 1e-9)). */
export function equalWidth(blocks: ConfidenceBlocks, nBins: number): Bins {
  return gather(blocks, nBins, (b) => Math.min(nBins - 1, Math.floor(blocks.confidence[b]! * nBins + 1e-9)));
}

/** Equal-mass bins: index = floor(M * #{c_j < c_i} / n), so that a block of tied confidences is never split. */
export function equalMass(blocks: ConfidenceBlocks, nBins: number): Bins {
  let below = blocks.n;
  return gather(blocks, nBins, (b) => {
    below -= blocks.count[b]!;
    return Math.floor((nBins * below) / blocks.n);
  });
}

function gather(blocks: ConfidenceBlocks, nBins: number, chooseBin: (block: number) => number): Bins {
  const count = new Float64Array(nBins);
  const confidence = new Float64Array(nBins);
  const correct = new Float64Array(nBins);
  for (let b = 0; b < blocks.size; b++) {
    const n = blocks.count[b]!;
    if (n === 0) continue;
    const bin = chooseBin(b);
    count[bin]! += n;
    confidence[bin]! += n * blocks.confidence[b]!;
    correct[bin]! += n - blocks.errors[b]!;
  }
  return { n: blocks.n, count, confidence, correct };
}

/** The distance between mean confidence and share right in one bin. */
export function gap(bins: Bins, bin: number): number {
  return Math.abs(bins.correct[bin]! - bins.confidence[bin]!) / bins.count[bin]!;
}

/** The mean gap, weighted by the rows of each bin; empty bins have no weight. */
export function weightedGap(bins: Bins): number {
  let sum = 0;
  for (let bin = 0; bin < bins.count.length; bin++)
    sum += Math.abs(bins.correct[bin]! - bins.confidence[bin]!);
  return sum / bins.n;
}

/** One bar of a reliability diagram; null where the bin is empty. */
export interface Bar {
  readonly low: number;
  readonly high: number;
  readonly count: number;
  readonly mean_confidence: number | null;
  readonly accuracy: number | null;
}

export function buildBars(bins: Bins): Bar[] {
  const nBins = bins.count.length;
  return Array.from(bins.count, (count, bin) => ({
    low: bin / nBins,
    high: (bin + 1) / nBins,
    count,
    mean_confidence: count === 0 ? null : bins.confidence[bin]! / count,
    accuracy: count === 0 ? null : bins.correct[bin]! / count,
  }));
}

/** mean (c - z)^2 over the usable rows. */
export function meanSquare({ size, confidence, count, errors, n }: ConfidenceBlocks): number {
  let sum = 0;
  for (let b = 0; b < size; b++) {
    const c = confidence[b]!;
    sum += (count[b]! - errors[b]!) * (1 - c) * (1 - c) + errors[b]! * c * c;
  }
  return sum / n;
}

/** The parts of Murphy's decomposition. `skill` is null when every answer is right, or every one wrong. */
export function brierParts(blocks: ConfidenceBlocks) {
  const { size, confidence, count, errors, n, nErrors } = blocks;
  const mean = (n - nErrors) / n;
  let reliability = 0;
  let resolution = 0;
  for (let b = 0; b < size; b++) {
    if (count[b] === 0) continue;
    const z = (count[b]! - errors[b]!) / count[b]!;
    reliability += count[b]! * (confidence[b]! - z) ** 2;
    resolution += count[b]! * (z - mean) ** 2;
  }
  return {
    brier: meanSquare(blocks),
    reliability: reliability / n,
    resolution: resolution / n,
    uncertainty: computeUncertainty(blocks),
    skill: computeSkill(blocks),
  };
}

function computeUncertainty({ n, nErrors }: ConfidenceBlocks): number {
  return ((n - nErrors) / n) * (nErrors / n);
}

/** 1 - brier / uncertainty. */
export function computeSkill(blocks: ConfidenceBlocks, square = meanSquare(blocks)): number | null {
  const uncertainty = computeUncertainty(blocks);
  return uncertainty === 0 ? null : 1 - square / uncertainty;
}

/** Coverage and risk when only answers at least this confident are accepted. */
export interface CurvePoint {
  readonly threshold: number;
  readonly coverage: number;
  readonly selective_risk: number;
  readonly generalized_risk: number;
}

/** Every point of the curve. */
export function traceCurve(blocks: ConfidenceBlocks): CurvePoint[] {
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
