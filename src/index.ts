/** The core API of Krisis. Metrics, statistics, rubrics and domains have entries of their own: `krisis/metrics`, `krisis/statistics`, `krisis/rubrics`, `krisis/ckd`, `krisis/diabetes`, `krisis/hypertension`, `krisis/models`, `krisis/results`, `krisis/records`, `krisis/store`. */

export { type CompareOptions, compareRuns } from './analyses/comparison/compare-runs.ts';
export type { Comparison } from './analyses/comparison/comparison.ts';
export { defineConfig, type KrisisConfig } from './cli/config/index.ts';
export {
  type Bounds,
  type ErrorCode,
  type EvaluationResult,
  evaluationResult,
  type Fault,
  type Interval,
  KrisisError,
  type Label,
  type Ledger,
  type PatientRecord,
  type ReadRowsOptions,
  type RowState,
  readRows,
  type Score,
} from './core/index.ts';
export { findSuite } from './domains/find-suite.ts';
export {
  type AskingAgain,
  Benchmark,
  type BenchmarkOptions,
  type BenchmarkRunOptions,
  type FileRun,
  type Progress,
  type RunOptions,
  RunStopped,
  run,
} from './engine/index.ts';
export {
  defaultBenchmarkMetrics,
  defineMetric,
  extendedMetrics,
  type Metric,
  type MetricScore,
  type Scorecard,
  type ScoringOptions,
  scoreTable,
  tableOf,
  type Warning,
} from './metrics/index.ts';
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
export { formatReport } from './runs/report-formats.ts';
export type { BenchmarkResult, BenchmarkRow, RunResult } from './runs/run-result.ts';
export {
  type AnySuite,
  type AnyTask,
  defineSuite,
  defineTableSuite,
  findQuestionSuite,
  loadTableSuite,
  type QuestionSuite,
  type RecordInput,
  type Sensitivity,
  type SimpleSuiteDefinition,
  type Suite,
  type SuiteDefinition,
  type SuiteDescription,
  type Task,
  type TextTask,
} from './suites/index.ts';
