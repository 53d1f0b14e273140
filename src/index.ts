/** The core API of Krisis. Metrics, statistics, rubrics and domains have entries of their own: `krisis/metrics`, `krisis/statistics`, `krisis/rubrics`, `krisis/ckd`, `krisis/diabetes`, `krisis/hypertension`, `krisis/models`, `krisis/results`, `krisis/records`, `krisis/store`. */

export { type CompareOptions, compareRuns } from './analyses/comparison/compare-runs.ts';
export type { Comparison } from './analyses/comparison/comparison.ts';
export { defineConfig, type KrisisConfig } from './cli/config/config.ts';
export { type ErrorCode, KrisisError } from './core/errors.ts';
export { type EvaluationResult, evaluationResult } from './core/evaluation-result.ts';
export type { Fault } from './core/fault.ts';
export type { Label } from './core/label.ts';
export type { Ledger } from './core/ledger.ts';
export type { PatientRecord } from './core/patient-record.ts';
export { type ReadRowsOptions, readRows } from './core/row-file.ts';
export type { Bounds, Interval, Score } from './core/score.ts';
export type { RowState } from './core/states.ts';
export { findSuite } from './domains/find-suite.ts';
export type { AskingAgain } from './engine/ask-again.ts';
export { Benchmark, type BenchmarkOptions, type BenchmarkRunOptions } from './engine/benchmark.ts';
export type { Progress } from './engine/progress.ts';
export { run } from './engine/run.ts';
export type { FileRun, RunOptions } from './engine/run-options.ts';
export { buildTable } from './metrics/columns.ts';
export { defineMetric } from './metrics/define-metric.ts';
export type { Metric, MetricScore } from './metrics/metric.ts';
export { defaultBenchmarkMetrics, extendedMetrics } from './metrics/registry.ts';
export { type Scorecard, type ScoringOptions, scoreTable } from './metrics/score.ts';
export type { Warning } from './metrics/warning.ts';
export { apiBackend } from './models/api/api-backend.ts';
export type { ApiOptions } from './models/api/api-options.ts';
export type { Backend, BackendResponse, BackendSettings } from './models/backend.ts';
export { BackendError } from './models/backend-error.ts';
export { createBackend } from './models/create-backend.ts';
export { defineBackend } from './models/define-backend.ts';
export { type Judge, LEXICAL_JUDGE, modelJudge } from './models/judge.ts';
export type { Execution } from './runs/execution.ts';
export { formatJsonReport, formatMetricsJsonReport, type JsonReportOptions } from './runs/formats/json.ts';
export type { ReadRunOptions } from './runs/read-options.ts';
export { readRun } from './runs/read-run.ts';
export { formatReport } from './runs/render-documents.ts';
export type { BenchmarkResult, BenchmarkRow, RunResult } from './runs/run-result.ts';
export {
  defineSuite,
  type RecordInput,
  type SimpleSuiteDefinition,
  type SuiteDefinition,
} from './suites/define-suite.ts';
export { findQuestionSuite } from './suites/questions/find-question-suite.ts';
export type { AnySuite, QuestionSuite } from './suites/questions/question-suite.ts';
export type { Sensitivity, Suite, SuiteDescription } from './suites/suite.ts';
export { defineTableSuite, loadTableSuite } from './suites/table/define-table-suite.ts';
export type { AnyTask, Task, TextTask } from './suites/task.ts';
export { RunStopped } from './transports/transport.ts';
