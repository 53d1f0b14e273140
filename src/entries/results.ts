/** `krisis/results`: comparisons, gates, thresholds, drift, imported results and scorecards in detail. */

export { suiteBaselines } from '../analyses/baselines/suite-baselines.ts';
export {
  type ComparedModel,
  comparisonObject,
  type EndpointComparison,
  type Flip,
  type PairedComparison,
} from '../analyses/comparison/comparison.ts';
export { compareSources } from '../analyses/confidence-sources/compare-sources.ts';
export type {
  SourceComparison,
  SourceDifference,
  SourceScore,
} from '../analyses/confidence-sources/source-comparison.ts';
export type { ConfidenceSource } from '../analyses/confidence-sources/source-rows.ts';
export type { DetectableDifference } from '../analyses/detectable-difference/detectable-difference.ts';
export { type DriftEntry, type DriftOptions, type RunDrift, runDrift } from '../analyses/drift/run-drift.ts';
export type { StopEarlyOptions } from '../analyses/early-stop/plan-early-stop.ts';
export type { RunFailure, UnusableReplies } from '../analyses/failures/failures.ts';
export type { Flow } from '../analyses/flow/flow.ts';
export type { RaterAgreement } from '../analyses/review/agreement.ts';
export type { CorrectedComparison } from '../analyses/review/compare-corrected.ts';
export { notCorrectedText } from '../analyses/review/corrected-score.ts';
export type { CorrectedScore, CorrectionReason } from '../analyses/review/corrected-scores.ts';
export type { ItemReview } from '../analyses/review/item-review.ts';
export {
  type PanelLabel,
  type PanelReport,
  panelLabels,
  parsePanelLabels,
} from '../analyses/review/panel.ts';
export type { RecordReview } from '../analyses/review/record-review.ts';
export type { RunReview } from '../analyses/review/run-review.ts';
export type { Recalibration } from '../analyses/threshold/recalibration.ts';
export type {
  PolicyReport,
  RowsNeeded,
  RunThreshold,
  ThresholdChoice,
} from '../analyses/threshold/run-threshold.ts';
export type { DecisionGroups } from '../metrics/deferral/decision-groups.ts';
export type { Figures } from '../metrics/figures.ts';
export { scorecardObject } from '../metrics/scorecard.ts';
export { warningsFor } from '../metrics/warnings.ts';
export type { Gate, KnownMetrics } from '../runs/conditions/expression.ts';
export type { GatePlan } from '../runs/conditions/verdict.ts';
export { type GateVerdict, gateExitCode } from '../runs/conditions/verdict.ts';
export { type Execution, type Extras, readExecution } from '../runs/execution.ts';
export { checkGate } from '../runs/gates/check-gate.ts';
export { parseGate } from '../runs/gates/parse-gate.ts';
export { type PlannedGate, type PlannedPower, type PlannedSuite, planGate } from '../runs/gates/plan-gate.ts';
export {
  type ImportedRun,
  type ImportOptions,
  importPythonResult,
} from '../runs/import/import-python-result.ts';
export type { RunTask, SuiteBaseline } from '../runs/run-result.ts';
export { scorecardJson, scorecardText } from '../runs/scorecard-text.ts';
export type { LabelShare } from '../statistics/methods/judge-accuracy.ts';
export type { EarlyVerdict, StopEarly } from '../store/run.ts';
