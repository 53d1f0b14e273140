import type { ConfidenceBlocks } from '../confidence-blocks.ts';

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

function gather(blocks: ConfidenceBlocks, nBins: number, binOf: (block: number) => number): Bins {
  const count = new Float64Array(nBins);
  const confidence = new Float64Array(nBins);
  const correct = new Float64Array(nBins);
  for (let b = 0; b < blocks.size; b++) {
    const n = blocks.count[b]!;
    if (n === 0) continue;
    const bin = binOf(b);
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

export function barsOf(bins: Bins): Bar[] {
  const nBins = bins.count.length;
  return Array.from(bins.count, (count, bin) => ({
    low: bin / nBins,
    high: (bin + 1) / nBins,
    count,
    mean_confidence: count === 0 ? null : bins.confidence[bin]! / count,
    accuracy: count === 0 ? null : bins.correct[bin]! / count,
  }));
}
