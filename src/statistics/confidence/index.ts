export * from './log-probabilities.ts';
export {
  type PairedAuroc,
  type PairedDifference,
  pairedAurocDifference,
  pairedBrierDifference,
} from './paired-sources.ts';
export * from './repeats.ts';
