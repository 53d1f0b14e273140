import { camelKeys, snakeCase, snakeKeys } from '../core/codec.ts';
import {
  confidenceFromLogprobs,
  confidenceFromRepeats,
  pairedAurocDifference,
  pairedBrierDifference,
} from '../statistics/methods/confidence.ts';
import { controlChart, controlLimits } from '../statistics/methods/control-chart.ts';
import {
  comparableRuns,
  driftAlpha,
  driftTest,
  fewestFlips,
  flipTable,
} from '../statistics/methods/drift.ts';
import { isotonicFit, isotonicPredict, plattFit, plattPredict } from '../statistics/methods/recalibration.ts';
import {
  deployableThreshold,
  firstTestedRows,
  riskPValue,
  rowsForErrors,
  rowsForPower,
  type ThresholdReport,
  thresholdReport,
} from '../statistics/methods/thresholds.ts';
import { type CaseFunction, snake } from './case-function.ts';

/** Every reference function of deployable thresholds, sources of confidence and drift, by its name in the file. */
export const thresholdFunctions: Record<string, CaseFunction> = {
  risk_p_value: ({ errors, n }, { risk }) => riskPValue(errors, n, risk),
  rows_for_errors: ({ errors }, params) => rowsForErrors(errors, params),
  rows_for_power: ({ true_risk: trueRisk }, params) => rowsForPower(trueRisk, params),
  first_tested_rows: ({ n }, params) => firstTestedRows(n, camelKeys(params)),
  deployable_threshold: ({ confidences, correct }, params) =>
    snakeKeys(deployableThreshold(confidences, correct, camelKeys(params))),
  threshold_report: ({ states, confidences, threshold }, { alpha }) =>
    perHundred(thresholdReport(states, confidences, threshold ?? null, { alpha })),
  isotonic_fit: ({ confidences, correct }) => isotonicFit(confidences, correct),
  isotonic_predict: ({ confidences, correct, at }) => {
    const blocks = isotonicFit(confidences, correct);
    return blocks && isotonicPredict(blocks, at);
  },
  platt_fit: ({ confidences, correct }, { eps }) => plattFit(confidences, correct, { eps }),
  platt_predict: ({ a, b, at }, { eps }) => plattPredict({ a, b }, at, { eps }),
  confidence_from_repeats: ({ votes }, { n_labels: labels }) => snake(confidenceFromRepeats(votes, labels)),
  confidence_from_logprobs: ({ candidates, answer }, params) =>
    confidenceFromLogprobs(candidates, answer, camelKeys(params)),
  paired_brier_difference: ({ correct, confidence_a: a, confidence_b: b }, { level }) =>
    pairedBrierDifference(correct, a, b, level),
  paired_auroc_difference: ({ correct, confidence_a: a, confidence_b: b }, { level }) =>
    snake(pairedAurocDifference(correct, a, b, level)),
  drift_alpha: ({ look }, { alpha }) => driftAlpha(look, alpha),
  drift_test: ({ lost, gained, look }, { alpha }) => driftTest({ lost, gained, look }, alpha),
  fewest_flips: ({ look }, { alpha }) => fewestFlips(look, alpha),
  flip_table: ({ before, after }) => flipTable(before, after),
  control_limits: ({ successes, n }) => controlLimits(successes, n),
  control_chart: ({ first_successes: first, n, later_successes: later }) => controlChart(first, n, later),
  comparable_runs: ({ first, later }) => {
    const { comparable, differs, unknown } = comparableRuns(camelKeys(first), camelKeys(later));
    return { comparable, differs: differs.map(snakeCase), unknown: unknown.map(snakeCase) };
  },
};

function perHundred(report: ThresholdReport | null): object | null {
  if (report === null) return null;
  const { deferredPer100, errorsPer100, ...rest } = report;
  return { ...snakeKeys(rest), deferred_per_100: deferredPer100, errors_per_100: errorsPer100 };
}
