/** What is built on the basic statistics: probes, thresholds, gates that stop early, drift, and labels of people. */

export * from './completion.ts';
export {
  confidenceFromLogprobs,
  confidenceFromRepeats,
  type LabelCandidate,
  type PairedAuroc,
  type PairedDifference,
  pairedAurocDifference,
  pairedBrierDifference,
  type RepeatVotes,
  type TokenConfidence,
  type Vote,
} from './confidence.ts';
export * from './control-chart.ts';
export {
  type Cluster,
  type CorrectedDifference,
  type CorrectedMean,
  correctedDifference,
  correctedMean,
  type EstimateError,
  type JudgedLabel,
  type PpiMean,
  ppiMean,
} from './corrected-mean.ts';
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
} from './drift.ts';
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
} from './e-values.ts';
export {
  curtailedValueGate,
  type EarlyStopPlan,
  planEarlyStops,
  rowsNeededAllRight,
  sequentialAlpha,
} from './early-stop-plan.ts';
export * from './equivalence.ts';
export {
  confidenceChange,
  type Decision,
  type DecisionShift,
  decisionShift,
  flipExcess,
  flipRate,
  pairedDifferenceInterval,
  type RepeatedRecord,
} from './flips.ts';
export {
  horvitzThompson,
  type JudgeCounts,
  judgeAccuracy,
  type LabelShare,
  labelShare,
  type RoganGladen,
  roganGladen,
  type WeighedPair,
  type WeighedValue,
  type WeightedMean,
} from './judge-accuracy.ts';
export * from './label-plan.ts';
export {
  type Agreement,
  type Alpha,
  type BinaryAgreement,
  binaryAgreement,
  type FleissAgreement,
  fleissAgreement,
  gwetAc1,
  kappaAgreement,
  krippendorffAlpha,
  type RatedPairs,
  type Ratings,
} from './rater-agreement.ts';
export * from './recalibration.ts';
export * from './responses.ts';
export * from './sequential-gate.ts';
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
} from './thresholds.ts';
