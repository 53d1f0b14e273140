/** `krisis/statistics`: intervals, tests, agreement, corrected scores, probes, gates that stop early, and power. */

export {
  bcaInterval,
  bootstrapReplicates,
  clusterReplicates,
  pairedDifferenceReplicates,
  percentileInterval,
} from '../statistics/bootstrap.ts';
export {
  type ClusteredDifference,
  type ClusterNonInferiority,
  clusteredDifference,
  clusterNonInferiority,
} from '../statistics/cluster-non-inferiority.ts';
export {
  clusteredShare,
  clusteredStandardError,
  type ShareOfClusters,
} from '../statistics/clustered-share.ts';
export { type GroupedTests, holmAdjust, holmGroups } from '../statistics/holm.ts';
export {
  cohenKappa,
  fleissKappa,
  runConsistency,
  weightedKappa,
} from '../statistics/kappa.ts';
export { discordantPairs, mcnemarExact } from '../statistics/mcnemar.ts';
export {
  type CompletedRecord,
  cellMatch,
  clopperPearson,
  completionProbe,
  type MatchOptions,
  permutationTest,
} from '../statistics/methods/completion.ts';
export {
  confidenceFromLogprobs,
  confidenceFromRepeats,
  type LabelCandidate,
  type PairedDifference,
  pairedAurocDifference,
  pairedBrierDifference,
  type RepeatVotes,
  type TokenConfidence,
  type Vote,
} from '../statistics/methods/confidence.ts';
export {
  type ControlLimits,
  type ControlState,
  controlChart,
  controlLimits,
} from '../statistics/methods/control-chart.ts';
export {
  type Cluster,
  type CorrectedMean,
  correctedDifference,
  correctedMean,
  type EstimateError,
  type JudgedLabel,
  ppiMean,
} from '../statistics/methods/corrected-mean.ts';
export {
  COMPARED_FIELDS,
  type Comparable,
  type ComparedField,
  type ComparedSettings,
  comparableRuns,
  type DriftDecision,
  type DriftTest,
  decided,
  driftAlpha,
  driftTest,
  type FlipTable,
  fewestFlips,
  flipTable,
} from '../statistics/methods/drift.ts';
export {
  type EvidenceKind,
  meanEValue,
  meanSequence,
  type PairedStatus,
  pairedSequence,
  pairedVerdict,
  proportionEValue,
  proportionSequence,
  type Side,
  suiteEValue,
  suiteSequence,
} from '../statistics/methods/e-values.ts';
export {
  curtailedValueGate,
  planEarlyStops,
  rowsNeededAllRight,
  sequentialAlpha,
} from '../statistics/methods/early-stop-plan.ts';
export { counterfactualGap, type Equivalence, tostPaired } from '../statistics/methods/equivalence.ts';
export {
  confidenceChange,
  type Decision,
  type DecisionShift,
  decisionShift,
  flipExcess,
  flipRate,
  pairedDifferenceInterval,
} from '../statistics/methods/flips.ts';
export {
  horvitzThompson,
  type JudgeCounts,
  judgeAccuracy,
  type LabelShare,
  labelShare,
  type RoganGladen,
  roganGladen,
  type WeighedPair,
} from '../statistics/methods/judge-accuracy.ts';
export {
  type Allocation,
  accuracyFromVerdictStrata,
  allocateLabels,
  type ClusteredShare,
  designEffect,
  type LabelledStratum,
  requiredLabelsForLowerBound,
  requiredLabelsForProportion,
  requiredLabelsForZeroEvents,
  stratifiedEstimate,
  wilsonClustered,
} from '../statistics/methods/label-plan.ts';
export {
  type Agreement,
  type Alpha,
  binaryAgreement,
  type FleissAgreement,
  fleissAgreement,
  gwetAc1,
  kappaAgreement,
  krippendorffAlpha,
  type RatedPairs,
  type Ratings,
} from '../statistics/methods/rater-agreement.ts';
export {
  type IsotonicBlock,
  isotonicFit,
  isotonicPredict,
  type PlattMap,
  type PlattOptions,
  plattFit,
  plattPredict,
} from '../statistics/methods/recalibration.ts';
export {
  type ContrastRow,
  contrastPairs,
  type DeferralRow,
  deferralUptake,
  type PressedRow,
  pressureResponse,
  revisionRate,
} from '../statistics/methods/responses.ts';
export {
  createSequentialGate,
  DEFAULT_MIN_N,
  finishedPrefix,
  isReachable,
  mirrored,
  patientMeans,
  type SequenceState,
  type SequenceUnit,
  type SequentialGate,
  type SequentialGateOptions,
  type SequentialStatus,
  type SequentialVerdict,
  sequentialGate,
} from '../statistics/methods/sequential-gate.ts';
export {
  checkedPromise,
  DEFAULT_DELTA,
  DEFAULT_RISK,
  type DeployableThreshold,
  deployableThreshold,
  firstTestedRows,
  isConfidence,
  type RiskPromise,
  reaches,
  riskPValue,
  rowsForErrors,
  rowsForPower,
  type ThresholdOptions,
  type ThresholdReport,
  thresholdReport,
} from '../statistics/methods/thresholds.ts';
export {
  type NonInferiority,
  nonInferiority,
  type PairedCounts,
  pairedScoreInterval,
} from '../statistics/paired-score-interval.ts';
export {
  fewestPairs,
  gatePower,
  minimumDetectableDifference,
  pairsForNonInferiority,
  requiredPairs,
  rowsForGate,
} from '../statistics/power.ts';
export { exactUpperBound, newcombeDifference, wilsonInterval } from '../statistics/proportions.ts';
export type { ScoreOptions } from '../statistics/score-options.ts';
export {
  monteCarloPValue,
  signFlipExact,
  signFlipMonteCarlo,
  signFlipTest,
} from '../statistics/sign-flip.ts';
