import { type Bar, barsOf, equalWidth } from '../calibration/bins.ts';
import type { ConfidenceBlocks } from '../confidence-blocks.ts';
import { type Share, type ShareOptions, share } from './share.ts';

/** One bar of the reliability diagram, with Wilson's interval of the share right. */
export interface ReliabilityBin extends Bar, Pick<Share, 'lower' | 'upper'> {}

/** The bins of ECE, so that the diagram shows what the number sums up. */
const BINS = 15;

export function reliabilityBins(blocks: ConfidenceBlocks, options: ShareOptions): ReliabilityBin[] {
  const bins = equalWidth(blocks, BINS);
  return barsOf(bins).map((bar, bin) => {
    const { lower, upper } = share(bins.correct[bin]!, bar.count, options);
    return { ...bar, lower, upper };
  });
}
