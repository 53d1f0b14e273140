/** `krisis/statistics`: intervals, tests, agreement and power. */

export type { ScoreOptions } from '../statistics/index.ts';
export {
  bcaInterval,
  bootstrapReplicates,
  type Consistency,
  clusteredStandardError,
  clusterReplicates,
  cohenKappa,
  discordantPairs,
  fleissKappa,
  holmAdjust,
  mcnemarExact,
  minimumDetectableDifference,
  monteCarloPValue,
  newcombeDifference,
  pairedBootstrap,
  pairedDifferenceReplicates,
  percentileInterval,
  requiredPairs,
  runConsistency,
  signFlipExact,
  signFlipMonteCarlo,
  signFlipTest,
  weightedKappa,
  wilsonInterval,
} from '../statistics/index.ts';
