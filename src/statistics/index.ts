export { bcaInterval } from './bca-interval.ts';
export {
  bootstrapReplicates,
  clusterReplicates,
  pairedDifferenceReplicates,
} from './bootstrap-replicates.ts';
export {
  type ClusteredDifference,
  type ClusterNonInferiority,
  clusteredDifference,
  clusterNonInferiority,
  MIN_CLUSTERS,
} from './cluster-non-inferiority.ts';
export {
  clusteredShare,
  independentShare,
  type ShareOfClusters,
  shareOfClusters,
} from './clustered-share.ts';
export { clusteredStandardError } from './clustered-standard-error.ts';
export { pairedAurocSchema, pairedDifferenceSchema } from './confidence/paired-sources.ts';
export { assertLevel } from './critical-value.ts';
export { drawBinomial, drawMultinomial } from './draw-binomial.ts';
export { driftTestSchema } from './drift/drift-test.ts';
export { flipTableSchema } from './drift/flip-table.ts';
export { exactUpperBound } from './exact-upper-bound.ts';
export { holmAdjust } from './holm.ts';
export { type GroupedTests, holmGroups } from './holm-groups.ts';
export { cohenKappa, fleissKappa, weightedKappa } from './kappa.ts';
export { discordantPairs, mcnemarExact, mcnemarResultSchema } from './mcnemar.ts';
export { newcombeDifference } from './newcombe.ts';
export { minimumDetectableDifference, requiredPairs } from './paired-power.ts';
export {
  type NonInferiority,
  nonInferiority,
  type PairedCounts,
  pairedScoreInterval,
} from './paired-score-interval.ts';
export { fewestPairs, pairsForNonInferiority } from './pairs-for-non-inferiority.ts';
export { percentileInterval } from './percentile-interval.ts';
export { quantile } from './quantile.ts';
export { createRandom, type Random, type RandomPurpose, shuffle } from './random.ts';
export { estimateErrorSchema } from './review/cluster-error.ts';
export { labelShareSchema } from './review/judge-accuracy.ts';
export { binaryAgreementSchema } from './review/rater-tables.ts';
export { gatePower, rowsForGate } from './rows-for-gate.ts';
export { type Consistency, runConsistency } from './run-consistency.ts';
export { clipShare, mean } from './sample-statistics.ts';
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
export { earlyStopPlanSchema } from './sequences/early-stop-plan.ts';
export {
  monteCarloPValue,
  signFlipExact,
  signFlipMonteCarlo,
  signFlipResultSchema,
  signFlipTest,
} from './sign-flip.ts';
export { chiSquaredTail, normalCdf, normalQuantile } from './special-functions.ts';
export { standardisedShare } from './standardised-share.ts';
export { type ClusterSum, sumByCluster } from './sum-by-cluster.ts';
export { deployableThresholdSchema } from './thresholds/deployable-threshold.ts';
export { thresholdReportSchema } from './thresholds/threshold-report.ts';
export { wilsonInterval } from './wilson.ts';
export { wilsonWithZ } from './wilson-with-z.ts';
