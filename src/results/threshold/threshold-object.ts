import { snakeKeys } from '../../core/index.ts';
import type { PolicyReport, RunThreshold } from './run-threshold.ts';

/** A threshold in the keys of the JSON reports. */
export function thresholdObject(found: RunThreshold) {
  const { evaluation, acceptEveryAnswer, calibration, needed, recalibration, ...rest } = found;
  return {
    ...snakeKeys(rest),
    calibration: snakeKeys(calibration),
    evaluation: { n_units: evaluation.nUnits, ...policyObject(evaluation) },
    accept_every_answer: policyObject(acceptEveryAnswer),
    needed: needed && snakeKeys(needed),
    recalibration: recalibration.map(snakeKeys),
  };
}

function policyObject(report: PolicyReport) {
  return {
    n: report.n,
    answered: report.answered,
    errors: report.errors,
    coverage: report.coverage,
    risk: report.risk,
    risk_lower: report.riskLower,
    risk_upper: report.riskUpper,
    n_bound: report.nBound,
    deferred_per_100: report.deferredPer100,
    errors_per_100: report.errorsPer100,
    deferred: snakeKeys(report.deferred),
    emergencies: report.emergencies,
    false_alarms: report.falseAlarms,
    answered_should_defer: report.answeredShouldDefer,
    wrong_answers: report.wrongAnswers,
    deferred_without_need: report.deferredWithoutNeed,
  };
}
