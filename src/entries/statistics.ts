/** `krisis/statistics`: intervals, tests, agreement, corrected scores, probes, gates that stop early, and power. */

export * from '../statistics/confidence/index.ts';
export * from '../statistics/drift/index.ts';
export {
  bcaInterval,
  bootstrapReplicates,
  type ClusteredDifference,
  type ClusterNonInferiority,
  type Consistency,
  clusteredDifference,
  clusteredShare,
  clusteredStandardError,
  clusterNonInferiority,
  clusterReplicates,
  cohenKappa,
  discordantPairs,
  exactUpperBound,
  fewestPairs,
  fleissKappa,
  type GroupedTests,
  gatePower,
  holmAdjust,
  holmGroups,
  mcnemarExact,
  minimumDetectableDifference,
  monteCarloPValue,
  type NonInferiority,
  newcombeDifference,
  nonInferiority,
  type PairedCounts,
  pairedDifferenceReplicates,
  pairedScoreInterval,
  pairsForNonInferiority,
  percentileInterval,
  requiredPairs,
  rowsForGate,
  runConsistency,
  type ScoreOptions,
  type ShareOfClusters,
  signFlipExact,
  signFlipMonteCarlo,
  signFlipTest,
  weightedKappa,
  wilsonInterval,
} from '../statistics/index.ts';
export * from '../statistics/probes/index.ts';
export * from '../statistics/review/index.ts';
export * from '../statistics/sequences/index.ts';
export * from '../statistics/thresholds/index.ts';
