import type { ConfidenceBlocks } from '../confidence-blocks.ts';

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
    uncertainty: uncertaintyOf(blocks),
    skill: skillOf(blocks),
  };
}

function uncertaintyOf({ n, nErrors }: ConfidenceBlocks): number {
  return ((n - nErrors) / n) * (nErrors / n);
}

/** 1 - brier / uncertainty. */
export function skillOf(blocks: ConfidenceBlocks, square = meanSquare(blocks)): number | null {
  const uncertainty = uncertaintyOf(blocks);
  return uncertainty === 0 ? null : 1 - square / uncertainty;
}
