import { createRandom, drawBinomial, quantile, RANDOM_STREAMS } from '../../statistics/index.ts';
import type { ConfidenceBlocks } from '../confidence-blocks.ts';

/** The distribution of ECE by chance alone, if every confidence were exactly right. */
export interface NullBand {
  readonly ece_null_mean: number;
  readonly ece_null_p95: number;
  readonly simulations: number;
  readonly seed: number;
}

const SIMULATIONS = 1000;
/** A million distinct confidences get a hundred simulations: the band is then so narrow that more would not change it. */
const MAX_DRAWS = 20_000_000;
/** From this many rows of one confidence on, the number of right answers is drawn at once; fewer rows are drawn one by one. */
const DRAWN_AT_ONCE = 8;

/**
 * Simulates right and wrong answers from the stated confidences, z* ~ Bernoulli(c), and measures ECE on each. Null when nothing is usable.
 *
 * An observed ECE below `ece_null_p95` cannot be distinguished from perfect calibration.
 */
export function nullBand(blocks: ConfidenceBlocks, nBins: number, seed: number): NullBand | null {
  if (blocks.n === 0) return null;
  let nDraws = 0;
  for (let b = 0; b < blocks.size; b++) nDraws += Math.min(blocks.count[b]!, DRAWN_AT_ONCE);
  const simulations = Math.max(100, Math.min(SIMULATIONS, Math.floor(MAX_DRAWS / nDraws)));
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
      const count = blocks.count[b]!;
      let right = 0;
      if (count >= DRAWN_AT_ONCE) right = drawBinomial(count, c, random);
      else for (let i = 0; i < count; i++) if (random.float() < c) right += 1;
      correct[binOf[b]!]! += right;
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
