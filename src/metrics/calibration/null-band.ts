import { createRandom, RANDOM_STREAMS } from '../../numerics/random.ts';
import type { ConfidenceBlocks } from '../confidence-blocks.ts';
import { quantile } from '../statistics/quantile.ts';

/** What ECE would be by chance alone, had every confidence been exactly right. */
export interface NullBand {
  readonly ece_null_mean: number;
  readonly ece_null_p95: number;
  readonly simulations: number;
  readonly seed: number;
}

const SIMULATIONS = 1000;
/** A million rows get a hundred simulations: the band is then so narrow that more would not move it. */
const MAX_DRAWS = 20_000_000;

/**
 * Simulates right and wrong answers from the stated confidences, z* ~ Bernoulli(c), and measures ECE on each. Null when nothing is usable.
 *
 * An observed ECE below `ece_null_p95` cannot be told from perfect calibration.
 */
export function nullBand(blocks: ConfidenceBlocks, nBins: number, seed: number): NullBand | null {
  if (blocks.n === 0) return null;
  const simulations = Math.max(100, Math.min(SIMULATIONS, Math.floor(MAX_DRAWS / blocks.n)));
  const random = createRandom(seed, RANDOM_STREAMS.nullBand);
  const binOf = Int32Array.from(blocks.confidence, (c) => Math.min(nBins - 1, Math.floor(c * nBins + 1e-9)));
  const confidence = new Float64Array(nBins);
  blocks.confidence.forEach((c, b) => {
    confidence[binOf[b]!]! += c * blocks.count[b]!;
  });
  const correct = new Float64Array(nBins);
  const found = new Float64Array(simulations);
  for (let s = 0; s < simulations; s++) {
    correct.fill(0);
    for (let b = 0; b < blocks.size; b++) {
      const c = blocks.confidence[b]!;
      for (let i = 0; i < blocks.count[b]!; i++) if (random.float() < c) correct[binOf[b]!]! += 1;
    }
    let sum = 0;
    for (let bin = 0; bin < nBins; bin++) sum += Math.abs(correct[bin]! - confidence[bin]!);
    found[s] = sum / blocks.n;
  }
  found.sort();
  return {
    ece_null_mean: found.reduce((sum, value) => sum + value, 0) / simulations,
    ece_null_p95: quantile(found, 0.95)!,
    simulations,
    seed,
  };
}
