import type { Sample } from '../sample.ts';

/** mean (c - z)^2 over the usable rows. */
export function meanSquare(sample: Sample): number {
  return sample.once(meanSquare, ({ confidence: { size, confidence, count, errors, n } }) => {
    let sum = 0;
    for (let b = 0; b < size; b++) {
      const c = confidence[b]!;
      sum += (count[b]! - errors[b]!) * (1 - c) * (1 - c) + errors[b]! * c * c;
    }
    return sum / n;
  });
}

/** The parts of Murphy's decomposition. `skill` is null when every answer is right, or every one wrong. */
export function brierParts(sample: Sample) {
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
  return {
    brier: meanSquare(sample),
    reliability: reliability / n,
    resolution: resolution / n,
    uncertainty: uncertaintyOf(sample),
    skill: skillOf(sample),
  };
}

function uncertaintyOf({ confidence: { n, nErrors } }: Sample): number {
  return ((n - nErrors) / n) * (nErrors / n);
}

/** 1 - brier / uncertainty. */
export function skillOf(sample: Sample): number | null {
  const uncertainty = uncertaintyOf(sample);
  return uncertainty === 0 ? null : 1 - meanSquare(sample) / uncertainty;
}
