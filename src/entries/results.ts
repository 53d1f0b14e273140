/** `krisis/results`: comparisons, gates, imported results and scorecards in detail. */

export { type DecisionGroups, type Figures, scorecardObject, warningsFor } from '../metrics/index.ts';
export { scorecardJson, scorecardText } from '../reports/index.ts';
export type { EarlyVerdict, StopEarly, StopEarlyOptions } from '../results/early/index.ts';
export {
  type ComparedModel,
  checkGate,
  comparisonObject,
  type DetectableDifference,
  type EndpointComparison,
  type Execution,
  type Extras,
  executionOf,
  type Flip,
  type Flow,
  type Gate,
  type GatePlan,
  type GateVerdict,
  gateExitCode,
  type ImportedRun,
  type ImportOptions,
  importPythonResult,
  type KnownMetrics,
  type PairedComparison,
  type PlannedGate,
  type PlannedPower,
  type PlannedSuite,
  parseGate,
  planGate,
  type RunFailure,
  type RunRow,
  type RunTask,
  type SuiteBaseline,
  suiteBaselines,
  type UnusableReplies,
} from '../results/index.ts';
