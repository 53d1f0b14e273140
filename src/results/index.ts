export type { LabelShare } from '../statistics/methods/index.ts';
export { type AboutRun, aboutRun } from './about-run.ts';
export { cachedRepliesText } from './cached-replies.ts';
export { type CompareOptions, comparedModel, compareRuns } from './compare/compare-runs.ts';
export {
  type ComparedModel,
  type Comparison,
  comparisonObject,
  type EndpointComparison,
  endpointSchema,
  type Flip,
  type FlipAnswer,
  flipsObject,
  itemFlipSchema,
  type PairedComparison,
} from './compare/comparison.ts';
export { FILE_NOT_VERIFIED } from './compare/comparison-warnings.ts';
export { flipsOf, rightAnswers } from './compare/flips.ts';
export { isOnlyRight } from './compare/only-right.ts';
export { clusterKey } from './compare/pair-clusters.ts';
export { pairRecords } from './compare/pair-records.ts';
export { type RecordSet, recordSets } from './compare/record-sets.ts';
export { type ScoredRun, ScoredRunBuilder, scoredRun } from './compare/scored-run.ts';
export { whyDifferentRecords } from './compare/why-different-records.ts';
export { compareSources } from './confidence/compare-sources.ts';
export {
  type SourceComparison,
  type SourceDifference,
  type SourceScore,
  sourceComparisonSchema,
} from './confidence/source-comparison.ts';
export { CONFIDENCE_SOURCES, type ConfidenceSource, sourceError } from './confidence/source-rows.ts';
export { confidenceStepSchema, confidenceSteps } from './confidence-steps.ts';
export { type DetectableDifference, detectableDifferenceSchema } from './detectable-difference.ts';
export { type DriftMeasure, type DriftRun, readDriftRun } from './drift/drift-run.ts';
export {
  type DriftEntry,
  type DriftOptions,
  type RunDrift,
  runDrift,
  runDriftSchema,
} from './drift/run-drift.ts';
export { type StopEarly, stopEarlySchema } from './early/stop-early.ts';
export {
  type Execution,
  type Extras,
  executionOf,
  readExtras,
} from './execution.ts';
export {
  failuresOf,
  type RunFailure,
  runFailureSchema,
  type UnusableReplies,
  unusableRepliesSchema,
} from './failures.ts';
export { finishRun, sealedScores } from './finish-run.ts';
export { type Flow, flowSchema, type Outcomes } from './flow.ts';
export { checkGate } from './gates/check-gate.ts';
export {
  checkBaselineSuite,
  checkGates,
  checkRows,
  metricsOf,
  rowsOfRun,
} from './gates/check-gates.ts';
export { type Gate, type KnownMetrics, knownMetric, parseGate } from './gates/expression.ts';
export { type GatePlan, hasConditions } from './gates/gate-plan.ts';
export { gateWarnings, unreachableOnEmergencies } from './gates/gate-warnings.ts';
export { limitProblem, marginProblem } from './gates/metric-range.ts';
export {
  type PlannedGate,
  type PlannedPower,
  type PlannedSuite,
  planGate,
  plannedGateSchema,
} from './gates/plan-gate.ts';
export { type PlannedNonInferiority, planNonInferiority } from './gates/plan-non-inferiority.ts';
export { type GateVerdict, gateExitCode } from './gates/verdict.ts';
export { type ImportedRun, type ImportOptions, importPythonResult } from './import/import-python-result.ts';
export type { PublishedFigures } from './import/published-figures.ts';
export { type RecordRowsOptions, type RowRecorder, recordRows } from './import/record-rows.ts';
export { slug, writeWhole } from './import/write-whole.ts';
export { checkEndpoint, endpointProblem } from './primary-endpoint.ts';
export { claimReportSchema } from './questions/claims.ts';
export { isQuestionRun } from './questions/is-question-run.ts';
export { shareRight } from './questions/item-flips.ts';
export type { ItemScoreGroup, ItemScores } from './questions/item-scores/item-scores.ts';
export {
  type JudgeReliability,
  type JudgeReport,
  judgeReportSchema,
  saidOfItemSchema,
} from './questions/judge-report.ts';
export { disagreementText, judgeStanding } from './questions/judge-standing.ts';
export type { JudgedAnswer } from './questions/judged-answers.ts';
export type { JudgesAgreement } from './questions/judges-agreement.ts';
export type { Judging } from './questions/judging.ts';
export { type Jury, jurySchema } from './questions/jury.ts';
export { type ListLevelTrait, listLevelTraitSchema } from './questions/list-level.ts';
export type { OtherTraitResult } from './questions/other-traits.ts';
export type { ItemResult } from './questions/score-metric-trait.ts';
export {
  answersWithTrait,
  type MetricTraitSummary,
  metricTraitSummarySchema,
  type OtherTraitSummary,
  otherTraitSummarySchema,
} from './questions/summarise-traits.ts';
export { summaryNames } from './questions/summary-names.ts';
export { traitScoreNames, unjudgedScoreNames } from './questions/trait-scores.ts';
export type { ReadRunOptions } from './read-options.ts';
export { computeReport, readRun } from './read-run.ts';
export { type RecomputedScores, recomputeScores } from './recompute-scores.ts';
export { type Report, readStoredReport, storeReport } from './report.ts';
export type { Coefficient, RaterAgreement } from './review/agreement.ts';
export { type CorrectedComparison, correctedComparisonSchema } from './review/compare-corrected.ts';
export { correctableScores, correctedScore, notCorrectedText } from './review/corrected-score.ts';
export {
  type CorrectedScore,
  type CorrectedValue,
  type CorrectionReason,
  MIN_DOUBLE_RATED,
  MIN_LABELS,
  MIN_QUESTIONS,
} from './review/corrected-scores.ts';
export type { GroupAgreement, ItemReview, ItemToRewrite } from './review/item-review.ts';
export {
  PANEL_AGREEMENT,
  type PanelLabel,
  type PanelReport,
  panelLabels,
  panelReportSchema,
  parsePanelLabels,
} from './review/panel.ts';
export type { FoundWrong, RecordReview } from './review/record-review.ts';
export type { LabelCounts } from './review/resolve-targets.ts';
export { type RunReview, runReviewSchema } from './review/run-review.ts';
export type { UrgencyReview } from './review/urgency-review.ts';
export type {
  BenchmarkResult,
  BenchmarkRow,
  RunResult,
  RunTask,
  SuiteBaseline,
} from './run-result.ts';
export { runTableOptions, scoringFor, tableOptionsFor } from './scoring-for.ts';
export { scoringOf } from './stored-scoring.ts';
export { oneLookShare, suiteBaselines } from './suite-baselines.ts';
export type { Recalibration } from './threshold/recalibration.ts';
export {
  type PolicyReport,
  type RowsNeeded,
  type RunThreshold,
  runThreshold,
  runThresholdSchema,
  type ThresholdChoice,
} from './threshold/run-threshold.ts';
export { thresholdOf } from './threshold/threshold-of.ts';
export { requireProof, verificationAlert } from './unproven-file.ts';
