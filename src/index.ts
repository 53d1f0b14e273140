/** The public API of Krisis. */

export { defineConfig, type KrisisConfig } from './cli/config/config.ts';
export type { ErrorCode } from './core/error-codes.ts';
export {
  type EvaluationResult,
  evaluationResult,
  parseRow,
  type RowProblem,
  rowSchema,
  rowToWire,
} from './core/evaluation-result.ts';
export { featureText } from './core/feature-text.ts';
export { KrisisError } from './core/krisis-error.ts';
export { type Label, type LabelKey, labelKey, sameLabel } from './core/label.ts';
export { type Ledger, ledgerClass } from './core/ledger.ts';
export { type FeatureValue, type PatientRecord, patientRecordSchema } from './core/patient-record.ts';
export { readRows } from './core/row-file.ts';
export type { RowState } from './core/row-state.ts';
export {
  type Bounds,
  type Interval,
  type Score,
  type ScoredOf,
  type ScoreFamily,
  scoreOf,
} from './core/score.ts';
export type { PromptMessage, TextReply, TextRequest, TokenUsage } from './core/text-request.ts';
export { Benchmark, type BenchmarkOptions, type RunOptions } from './engine/benchmark.ts';
export { RunStopped } from './engine/call.ts';
export type { Progress } from './engine/progress.ts';
export { type JudgeRunOptions, judgeRun } from './engine/questions/judge-run.ts';
export {
  type QuestionRun,
  type RunQuestionsOptions,
  runQuestions,
} from './engine/questions/run-questions.ts';
export { type FileRun, type RunToFileOptions, runToFile } from './engine/run-to-file.ts';
export {
  type SubgroupGap,
  type SubgroupOptions,
  type SubgroupScore,
  subgroupGap,
} from './metrics/behaviour/subgroups.ts';
export type { BundleOptions, TaskName } from './metrics/bundle-options.ts';
export {
  type Columns,
  type RowTable,
  RowTableBuilder,
  type TableOptions,
  tableOf,
} from './metrics/columns.ts';
export type { DeferralCosts } from './metrics/deferral/deferral-cost.ts';
export { type DefinedMetric, defineMetric } from './metrics/define-metric.ts';
export type { Figures } from './metrics/figures.ts';
export type {
  Estimate,
  Metric,
  MetricFamily,
  MetricScore,
  MetricSpec,
  Proportion,
  Rows,
} from './metrics/metric.ts';
export * from './metrics/registry.ts';
export { Sample, type SampleRow } from './metrics/sample.ts';
export { keysToKeep, type Scorecard, type ScoringOptions, scoreTable } from './metrics/score.ts';
export { metricValues, scoreMetrics } from './metrics/score-metrics.ts';
export { scorecardObject } from './metrics/scorecard-object.ts';
export type { UtilityMatrix } from './metrics/utility/selective-utility.ts';
export { type Warning, warningsFor } from './metrics/warnings.ts';
export { apiBackend } from './models/api/api-backend.ts';
export type { ApiOptions } from './models/api/api-options.ts';
export type {
  Backend,
  BackendResponse,
  BackendSettings,
  Destination,
  VisibleRecord,
} from './models/backend.ts';
export { BackendError, type Fault } from './models/backend-error.ts';
export { BASELINES, createBaseline } from './models/baselines/create-baseline.ts';
export { createBackend } from './models/create-backend.ts';
export { defineBackend, mapBatch } from './models/define-backend.ts';
export { type Judge, LEXICAL_JUDGE, modelJudge } from './models/judge.ts';
export { replayBackend } from './models/replay-backend.ts';
export { PERSONALITIES, type Personality, parsePersonality } from './models/simulated/personality.ts';
export { simulatedBackend } from './models/simulated/simulated-backend.ts';
export { formatReport } from './reports/format-report.ts';
export { formatJsonReport, formatMetricsJsonReport, type JsonReportOptions } from './reports/json-report.ts';
export { scorecardJson } from './reports/scorecard-json.ts';
export { scorecardText } from './reports/scorecard-text.ts';
export { type ComparableRun, type CompareOptions, compareRuns } from './results/compare/compare-runs.ts';
export type {
  ComparedModel,
  Comparison,
  EndpointComparison,
  Flip,
  PairedComparison,
} from './results/compare/comparison.ts';
export { comparisonObject } from './results/compare/comparison-object.ts';
export type { Extras } from './results/execution.ts';
export { checkGate } from './results/gates/check-gate.ts';
export { type Gate, type KnownMetrics, parseGate } from './results/gates/expression.ts';
export { type GateVerdict, gateExitCode } from './results/gates/verdict.ts';
export {
  type ImportedRun,
  type ImportOptions,
  importPythonResult,
} from './results/import/import-python-result.ts';
export { compareQuestionRuns } from './results/questions/compare-question-runs.ts';
export type { QuestionReport } from './results/questions/question-report.ts';
export { readQuestionRun } from './results/questions/read-question-run.ts';
export { type ReadRunOptions, readRun } from './results/read-run.ts';
export type { RunExtras, RunReport } from './results/run-report.ts';
export type { BenchmarkResult, BenchmarkRow } from './results/run-result.ts';
export {
  type AggregateOptions,
  type AggregateScore,
  aggregateTrait,
  type TraitAggregate,
} from './rubrics/aggregate/aggregate-trait.ts';
export type { QuestionCounts } from './rubrics/aggregate/question-counts.ts';
export { type HumanLabel, parseHumanLabels, readHumanLabels } from './rubrics/calibration/human-labels.ts';
export {
  type JudgeAgainstHumans,
  type JudgeCalibration,
  type JudgedQuestion,
  type JudgeShare,
  judgeCalibration,
} from './rubrics/calibration/judge-calibration.ts';
export {
  type ItemAgreement,
  type PassAgreement,
  type PassVerdict,
  passAgreement,
} from './rubrics/calibration/pass-agreement.ts';
export type { ConfusionCounts, ConfusionLists } from './rubrics/confusion-lists.ts';
export { itemsOf, type RubricItem } from './rubrics/items.ts';
export type { JudgeOutcome } from './rubrics/judge/judge-outcome.ts';
export { judgeProbes } from './rubrics/judge/probes.ts';
export { runJudge } from './rubrics/judge/run-judge.ts';
export { type ProbeScore, scoreProbes } from './rubrics/judge/score-probes.ts';
export type { Finding } from './rubrics/lint/finding.ts';
export { type LintOptions, lintRubric } from './rubrics/lint/lint-rubric.ts';
export { type Provenance, Rubric, type RubricTraits, type TraitFunctions } from './rubrics/rubric.ts';
export type { OpenItems } from './rubrics/score-bounds.ts';
export { type ListScore, scoreConfusionLists } from './rubrics/score-lists.ts';
export { scoreVerdicts, type VerdictScore } from './rubrics/score-verdicts.ts';
export type { TraitMetricScores } from './rubrics/trait-metrics.ts';
export {
  type CallableRubricTrait,
  type CallableTraitOptions,
  callableOutcome,
  callableTrait,
  type TraitFunction,
} from './rubrics/traits/callable-trait.ts';
export {
  type LlmRubricTrait,
  type LlmTraitOptions,
  llmOutcome,
  llmTrait,
} from './rubrics/traits/llm-trait.ts';
export {
  MetricRubricTrait,
  type MetricTraitOptions,
  type MetricTraitWire,
} from './rubrics/traits/metric-trait.ts';
export {
  type RegexRubricTrait,
  type RegexTraitOptions,
  regexOutcome,
  regexTrait,
} from './rubrics/traits/regex-trait.ts';
export type { TraitOutcome } from './rubrics/traits/trait-outcome.ts';
export type { Bucket, EvaluationMode, TraitMetric } from './rubrics/traits/vocabulary.ts';
export type { ItemVerdict, JudgeItem, Verdict, VerifiedQuote } from './rubrics/verdict.ts';
export { listsFromVerdicts, type UnscoredItem, type VerdictLists } from './rubrics/verdict-lists.ts';
export { type QuotePlace, verifyQuote } from './rubrics/verify-quote.ts';
export { bcaInterval } from './statistics/bca-interval.ts';
export {
  bootstrapReplicates,
  clusterReplicates,
  pairedDifferenceReplicates,
} from './statistics/bootstrap-replicates.ts';
export { clusteredStandardError } from './statistics/clustered-standard-error.ts';
export { holmAdjust } from './statistics/holm.ts';
export { cohenKappa, fleissKappa, weightedKappa } from './statistics/kappa.ts';
export { discordantPairs, mcnemarExact } from './statistics/mcnemar.ts';
export { newcombeDifference } from './statistics/newcombe.ts';
export { pairedBootstrap } from './statistics/paired-bootstrap.ts';
export { minimumDetectableDifference, requiredPairs } from './statistics/paired-power.ts';
export { percentileInterval } from './statistics/percentile-interval.ts';
export { type Consistency, runConsistency } from './statistics/run-consistency.ts';
export type { ScoreOptions } from './statistics/score-options.ts';
export {
  monteCarloPValue,
  signFlipExact,
  signFlipMonteCarlo,
  signFlipTest,
} from './statistics/sign-flip.ts';
export { wilsonInterval } from './statistics/wilson.ts';
export { RunFile } from './store/run-file.ts';
export type { StoredRow } from './store/stored-row.ts';
export { CkdSuite, type CkdSuiteOptions } from './suites/ckd/ckd-suite.ts';
export { trueCourse } from './suites/ckd/cohort/true-course.ts';
export { ckdEpi2021 } from './suites/ckd/equations/ckd-epi.ts';
export { aCategoryFromMgPerG, gCategory, isCkd, riskCell } from './suites/ckd/equations/kdigo.ts';
export { categoryFlipProbability } from './suites/ckd/equations/variation.ts';
export { readUciFile, validateUciFile } from './suites/ckd/source/read-uci.ts';
export { defineSuite, type SuiteDefinition } from './suites/define-suite.ts';
export { findQuestionSuite } from './suites/questions/find-question-suite.ts';
export {
  isQuestionSuite,
  parseQuestionSuite,
  type Question,
  type QuestionSuite,
} from './suites/questions/question-suite.ts';
export { type AnySuite, findSuite } from './suites/registry.ts';
export type { Sensitivity, Suite, SuiteDescription } from './suites/suite.ts';
export { suiteHash } from './suites/suite-hash.ts';
export { defineTableSuite } from './suites/table/define-table-suite.ts';
export { loadTableSuite } from './suites/table/load-table-suite.ts';
export type { AnyTask, Task, TextTask } from './suites/task.ts';
