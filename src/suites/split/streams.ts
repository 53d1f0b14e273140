/** Random streams of the splits, apart from those of the statistics (0 to 3), so that one seed serves both. */
export const SPLIT_STREAMS = { split: 16, order: 17 } as const;
