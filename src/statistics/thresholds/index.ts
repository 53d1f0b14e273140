export {
  type DeployableThreshold,
  deployableThreshold,
  isConfidence,
  reaches,
  type ThresholdOptions,
} from './deployable-threshold.ts';
export * from './isotonic.ts';
export * from './platt.ts';
export {
  checkedPromise,
  DEFAULT_DELTA,
  DEFAULT_RISK,
  firstTestedRows,
  type RiskPromise,
  riskPValue,
  rowsForErrors,
  rowsForPower,
} from './risk-test.ts';
export { type ThresholdReport, thresholdReport } from './threshold-report.ts';
