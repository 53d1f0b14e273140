export {
  bcaInterval,
  bootstrapReplicates,
  clusterReplicates,
  pairedDifferenceReplicates,
  percentileInterval,
} from './bootstrap.ts';
export {
  type ClusteredDifference,
  type ClusterNonInferiority,
  clusteredDifference,
  clusterNonInferiority,
  MIN_CLUSTERS,
} from './cluster-non-inferiority.ts';
export {
  type ClusterSum,
  clusteredShare,
  clusteredStandardError,
  independentShare,
  type ShareOfClusters,
  shareOfClusters,
  sumByCluster,
} from './clustered-share.ts';
export { type GroupedTests, holmAdjust, holmGroups } from './holm.ts';
export { type Consistency, cohenKappa, fleissKappa, runConsistency, weightedKappa } from './kappa.ts';
export { discordantPairs, mcnemarExact, mcnemarResultSchema } from './mcnemar.ts';
export { pairedAurocSchema, pairedDifferenceSchema } from './methods/confidence.ts';
export { estimateErrorSchema } from './methods/corrected-mean.ts';
export { driftTestSchema, flipTableSchema } from './methods/drift.ts';
export { earlyStopPlanSchema } from './methods/early-stop-plan.ts';
export { labelShareSchema } from './methods/judge-accuracy.ts';
export { binaryAgreementSchema } from './methods/rater-agreement.ts';
export { deployableThresholdSchema, thresholdReportSchema } from './methods/thresholds.ts';
export {
  type NonInferiority,
  nonInferiority,
  type PairedCounts,
  pairedScoreInterval,
} from './paired-score-interval.ts';
export {
  fewestPairs,
  gatePower,
  minimumDetectableDifference,
  pairsForNonInferiority,
  requiredPairs,
  rowsForGate,
} from './power.ts';
export { exactUpperBound, newcombeDifference, standardisedShare, wilsonInterval } from './proportions.ts';
export {
  createRandom,
  drawBinomial,
  drawMultinomial,
  type Random,
  type RandomPurpose,
  shuffle,
} from './random.ts';
export { clipShare, mean, quantile } from './samples.ts';
export {
  BCA_MAX_ROWS,
  checkResamples,
  DEFAULT_LEVEL,
  DEFAULT_SEED,
  defaultResamples,
  FEW_RESAMPLES,
  MAX_RESAMPLES,
  type ScoreOptions,
} from './score-options.ts';
export {
  monteCarloPValue,
  signFlipExact,
  signFlipMonteCarlo,
  signFlipResultSchema,
  signFlipTest,
} from './sign-flip.ts';
export { assertLevel, chiSquaredTail, normalCdf, normalQuantile } from './special-functions.ts';
export { wilsonWithZ } from './wilson-with-z.ts';
