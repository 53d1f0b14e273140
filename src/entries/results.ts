/** `krisis/results`: comparisons, gates, imported results and scorecards in detail. */

export { scorecardObject, warningsFor } from '../metrics/index.ts';
export { scorecardJson, scorecardText } from '../reports/index.ts';
export {
  type ComparableRun,
  type ComparedModel,
  checkGate,
  comparisonObject,
  type EndpointComparison,
  type Extras,
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
  type RunExtras,
} from '../results/index.ts';
