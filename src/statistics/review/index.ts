export * from './agreement.ts';
export * from './allocate-labels.ts';
export type { Cluster, EstimateError } from './cluster-error.ts';
export * from './corrected-mean.ts';
export * from './design-effect.ts';
export * from './horvitz-thompson.ts';
export {
  judgeAccuracy,
  type LabelShare,
  labelShare,
  type WeighedPair,
  type WeighedValue,
} from './judge-accuracy.ts';
export * from './krippendorff-alpha.ts';
export * from './label-counts.ts';
export {
  type BinaryAgreement,
  binaryAgreement,
  type FleissAgreement,
  fleissAgreement,
} from './rater-tables.ts';
export * from './rogan-gladen.ts';
export * from './strata.ts';
