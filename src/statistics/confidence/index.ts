export * from './log-probabilities.ts';
export * from './paired-sources.ts';
export * from './repeats.ts';
