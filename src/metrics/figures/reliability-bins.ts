import { equalWidth } from '../calibration/bins.ts';
import type { ConfidenceBlocks } from '../confidence-blocks.ts';
import { type ShareOptions, share } from './share.ts';

/** One bar of the reliability diagram. */
export interface ReliabilityBin {
  readonly low: number;
  readonly high: number;
  readonly count: number;
  readonly mean_confidence: number | null;
  readonly accuracy: number | null;
  /** Wilson's, of the share right. */
  readonly lower: number | null;
  readonly upper: number | null;
}

/** The bins of ECE, so that the diagram shows what the number sums up. */
const BINS = 15;

export function reliabilityBins(blocks: ConfidenceBlocks, options: ShareOptions): ReliabilityBin[] {
  const bins = equalWidth(blocks, BINS);
  return Array.from(bins.count, (count, bin) => {
    const { value, lower, upper } = share(bins.correct[bin]!, count, options);
    return {
      low: bin / BINS,
      high: (bin + 1) / BINS,
      count,
      mean_confidence: count === 0 ? null : bins.confidence[bin]! / count,
      accuracy: value,
      lower,
      upper,
    };
  });
}
