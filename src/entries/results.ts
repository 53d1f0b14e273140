/** `krisis/results`: comparisons, gates, imported results and scorecards in detail. */

export type { Figures } from '../metrics/index.ts';
export { scorecardObject, warningsFor } from '../metrics/index.ts';
export { scorecardJson, scorecardText } from '../reports/index.ts';
export type { RunRow, RunTask } from '../results/index.ts';
export {
  type ComparedModel,
  checkGate,
  comparisonObject,
  type EndpointComparison,
  type Execution,
  type Extras,
  executionOf,
  type Flip,
  type Gate,
  type GateVerdict,
  gateExitCode,
  type ImportedRun,
  type ImportOptions,
  importPythonResult,
  type KnownMetrics,
  type PairedComparison,
  parseGate,
} from '../results/index.ts';
