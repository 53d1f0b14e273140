import { runConsistencyMetric } from './behaviour/run-consistency.ts';
import type { BundleOptions } from './bundle-options.ts';
import { adaptiveCalibrationError } from './calibration/adaptive-calibration-error.ts';
import { brierDecomposition } from './calibration/brier-decomposition.ts';
import { brierScore } from './calibration/brier-score.ts';
import { brierTopLabel } from './calibration/brier-top-label.ts';
import { expectedCalibrationError } from './calibration/expected-calibration-error.ts';
import { expectedCalibrationErrorDebiased } from './calibration/expected-calibration-error-debiased.ts';
import { logLoss } from './calibration/log-loss.ts';
import { maximumCalibrationError } from './calibration/maximum-calibration-error.ts';
import { overconfidence } from './calibration/overconfidence.ts';
import { smoothCalibrationError } from './calibration/smooth-calibration-error.ts';
import { abstentionRate } from './correctness/abstention-rate.ts';
import { accuracy } from './correctness/accuracy.ts';
import { answerRate } from './correctness/answer-rate.ts';
import { balancedAccuracy } from './correctness/balanced-accuracy.ts';
import { decisionAccuracy } from './correctness/decision-accuracy.ts';
import { invalidRate } from './correctness/invalid-rate.ts';
import { selectiveAccuracy } from './correctness/selective-accuracy.ts';
import { unsafeAnswerRate } from './correctness/unsafe-answer-rate.ts';
import { deferralAlignment } from './deferral/deferral-alignment.ts';
import { deferralBalanced } from './deferral/deferral-balanced.ts';
import { deferralCost, deferralCostNormalised } from './deferral/deferral-cost.ts';
import { deferralF1 } from './deferral/deferral-f1.ts';
import { deferralMcc } from './deferral/deferral-mcc.ts';
import { deferralPrecision } from './deferral/deferral-precision.ts';
import { deferralRecall } from './deferral/deferral-recall.ts';
import { deferralSpecificity } from './deferral/deferral-specificity.ts';
import type { DefinedMetric } from './define-metric.ts';
import { augrc, eAugrc } from './selective/augrc.ts';
import { aurc, eAurc } from './selective/aurc.ts';
import { aurocConfidence } from './selective/auroc-confidence.ts';
import { coverageAtRisk } from './selective/coverage-at-risk.ts';
import { fprAt95Tpr } from './selective/fpr-at-95-tpr.ts';
import { riskCoverageCurve } from './selective/risk-coverage-curve.ts';
import { selectiveRiskAtCoverage } from './selective/selective-risk-at-coverage.ts';
import { taskPack, taskPackExtended } from './task-packs.ts';
import { effectiveReliability } from './utility/effective-reliability.ts';

/**
 * The metrics a run is scored with unless you name others: the eight that every report prints, what must stand beside them to read them
 * honestly, and the pack of the task.
 *
 * @example
 * ```ts
 * defaultBenchmarkMetrics().slice(0, 3).map((metric) => metric.name) // => ['accuracy', 'balanced_accuracy', 'selective_accuracy']
 * ```
 */
export function defaultBenchmarkMetrics(options: BundleOptions = {}): DefinedMetric[] {
  return [
    accuracy(),
    balancedAccuracy(),
    selectiveAccuracy(),
    abstentionRate(),
    answerRate(),
    decisionAccuracy(),
    unsafeAnswerRate(),
    invalidRate(),
    deferralAlignment(),
    deferralPrecision(),
    deferralRecall(),
    deferralSpecificity(),
    deferralF1(),
    deferralMcc(),
    deferralBalanced(),
    deferralCost(options.deferralCosts),
    deferralCostNormalised(options.deferralCosts),
    expectedCalibrationError(),
    adaptiveCalibrationError(),
    overconfidence(),
    brierScore({ positiveLabel: options.positiveLabel }),
    brierTopLabel(),
    brierDecomposition(),
    aurocConfidence(),
    augrc(),
    aurc(),
    eAurc(),
    ...[0.8, 0.9, 0.95].map((coverage) => selectiveRiskAtCoverage({ coverage })),
    ...taskPack(options),
  ];
}

/**
 * The default bundle and everything else that can be said from rows alone.
 *
 * @example
 * ```ts
 * extendedMetrics().some((metric) => metric.name === 'smooth_calibration_error') // => true
 * ```
 */
export function extendedMetrics(options: BundleOptions = {}): DefinedMetric[] {
  return [
    ...defaultBenchmarkMetrics(options),
    balancedAccuracy({ denominator: 'answered' }),
    maximumCalibrationError(),
    expectedCalibrationErrorDebiased(),
    smoothCalibrationError(),
    logLoss(),
    eAugrc(),
    aurc({ method: 'trapezoid' }),
    riskCoverageCurve(),
    ...[0.01, 0.05].map((maxRisk) => coverageAtRisk({ maxRisk })),
    fprAt95Tpr(),
    ...[1, 10, 100].map((cost) => effectiveReliability({ cost })),
    ...taskPackExtended(options),
    runConsistencyMetric(),
  ];
}
