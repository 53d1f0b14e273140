import type { Label } from '../core/index.ts';
import { KNOWN_SCALES } from '../suites/domains/index.ts';
import { runConsistencyMetric } from './behaviour/run-consistency.ts';
import { type BundleOptions, TASK_NAMES, type TaskName } from './bundle-options.ts';
import { adaptiveCalibrationError } from './calibration/adaptive-calibration-error.ts';
import { brierDecomposition } from './calibration/brier-decomposition.ts';
import { brierScore } from './calibration/brier-score.ts';
import { brierTopLabel } from './calibration/brier-top-label.ts';
import { confidenceWhenWrong } from './calibration/confidence-when-wrong.ts';
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
import { f1 } from './detection/f1.ts';
import { likelihoodRatioNegative, likelihoodRatioPositive } from './detection/likelihood-ratios.ts';
import { mcc } from './detection/mcc.ts';
import { npv } from './detection/npv.ts';
import { ppv } from './detection/ppv.ts';
import { npvAtPrevalence, ppvAtPrevalence } from './detection/predictive-value-at-prevalence.ts';
import { prevalence } from './detection/prevalence.ts';
import { sensitivity } from './detection/sensitivity.ts';
import { specificity } from './detection/specificity.ts';
import { canonicalMetricName } from './metric-aliases.ts';
import { falseReassuranceRate } from './progression/false-reassurance-rate.ts';
import { unsafeImprovementRate } from './progression/unsafe-improvement-rate.ts';
import { worseningRecall } from './progression/worsening-recall.ts';
import { augrc, eAugrc } from './selective/augrc.ts';
import { aurc, eAurc } from './selective/aurc.ts';
import { aurocConfidence } from './selective/auroc-confidence.ts';
import { coverageAtRisk } from './selective/coverage-at-risk.ts';
import { fprAt95Tpr } from './selective/fpr-at-95-tpr.ts';
import { riskCoverageCurve } from './selective/risk-coverage-curve.ts';
import { selectiveRiskAtCoverage } from './selective/selective-risk-at-coverage.ts';
import { maeStages } from './staging/mae-stages.ts';
import { offByOneAccuracy } from './staging/off-by-one-accuracy.ts';
import { overStagingRate } from './staging/over-staging-rate.ts';
import { qwk } from './staging/qwk.ts';
import { severeUnderStagingRate } from './staging/severe-under-staging-rate.ts';
import { somersD } from './staging/somers-d.ts';
import { underStagingAcrossLine } from './staging/under-staging-across-line.ts';
import { underStagingRate } from './staging/under-staging-rate.ts';
import { effectiveReliability } from './utility/effective-reliability.ts';
import { netBenefit, netBenefitTreatAll } from './utility/net-benefit.ts';
import { selectiveUtility } from './utility/selective-utility.ts';

export {
  abstentionRate,
  accuracy,
  adaptiveCalibrationError,
  answerRate,
  augrc,
  aurc,
  aurocConfidence,
  balancedAccuracy,
  brierDecomposition,
  brierScore,
  brierTopLabel,
  confidenceWhenWrong,
  coverageAtRisk,
  decisionAccuracy,
  deferralAlignment,
  deferralBalanced,
  deferralCost,
  deferralCostNormalised,
  deferralF1,
  deferralMcc,
  deferralPrecision,
  deferralRecall,
  deferralSpecificity,
  eAugrc,
  eAurc,
  effectiveReliability,
  expectedCalibrationError,
  expectedCalibrationErrorDebiased,
  f1,
  falseReassuranceRate,
  fprAt95Tpr,
  invalidRate,
  likelihoodRatioNegative,
  likelihoodRatioPositive,
  logLoss,
  maeStages,
  maximumCalibrationError,
  mcc,
  netBenefit,
  netBenefitTreatAll,
  npv,
  npvAtPrevalence,
  offByOneAccuracy,
  overconfidence,
  overStagingRate,
  ppv,
  ppvAtPrevalence,
  prevalence,
  qwk,
  riskCoverageCurve,
  runConsistencyMetric,
  selectiveAccuracy,
  selectiveRiskAtCoverage,
  selectiveUtility,
  sensitivity,
  severeUnderStagingRate,
  smoothCalibrationError,
  somersD,
  specificity,
  underStagingAcrossLine,
  underStagingRate,
  unsafeAnswerRate,
  unsafeImprovementRate,
  worseningRecall,
};

/** A metric as a bundle uses it: its factory, and the options the factory gets there. `make` overrides single options. */
interface Entry {
  make(overrides?: Readonly<Record<string, unknown>>): DefinedMetric;
}

function use<const Options extends object>(
  factory: (options: Options) => DefinedMetric,
  options: Options,
): Entry {
  return { make: (overrides) => factory({ ...options, ...overrides }) };
}

/** A factory that needs no options here. */
function plain(factory: () => DefinedMetric): Entry {
  return use(factory, {});
}

/** The default bundle, in the order of the reports. */
function defaultEntries({ positiveLabel, deferralCosts = {} }: BundleOptions): Entry[] {
  return [
    plain(accuracy),
    plain(balancedAccuracy),
    plain(selectiveAccuracy),
    plain(abstentionRate),
    plain(answerRate),
    plain(decisionAccuracy),
    plain(unsafeAnswerRate),
    plain(invalidRate),
    plain(deferralAlignment),
    plain(deferralPrecision),
    plain(deferralRecall),
    plain(deferralSpecificity),
    plain(deferralF1),
    plain(deferralMcc),
    plain(deferralBalanced),
    use(deferralCost, deferralCosts),
    use(deferralCostNormalised, deferralCosts),
    plain(expectedCalibrationError),
    plain(adaptiveCalibrationError),
    plain(overconfidence),
    use(brierScore, { positiveLabel }),
    plain(brierTopLabel),
    plain(brierDecomposition),
    plain(aurocConfidence),
    plain(augrc),
    plain(aurc),
    plain(eAurc),
    ...[0.8, 0.9, 0.95].map((coverage) => use(selectiveRiskAtCoverage, { coverage })),
  ];
}

/** What the extended bundle adds. */
const EXTENDED: readonly Entry[] = [
  use(balancedAccuracy, { denominator: 'answered' }),
  plain(maximumCalibrationError),
  plain(expectedCalibrationErrorDebiased),
  plain(smoothCalibrationError),
  plain(logLoss),
  plain(confidenceWhenWrong),
  plain(eAugrc),
  use(aurc, { method: 'trapezoid' }),
  plain(riskCoverageCurve),
  ...[0.01, 0.05].map((maxRisk) => use(coverageAtRisk, { maxRisk })),
  plain(fprAt95Tpr),
  ...[1, 10, 100].map((cost) => use(effectiveReliability, { cost })),
];

/** What the task packs add to the default and to the extended bundle. */
const PACKS: Readonly<
  Record<TaskName, (options: BundleOptions) => { readonly standard: Entry[]; readonly extended: Entry[] }>
> = {
  detection: ({ positiveLabel, targetPrevalence }) => ({
    standard: [
      ...(['answered', 'itd'] as const).flatMap((abstentions) =>
        [sensitivity, specificity, ppv, npv, f1, mcc].map((factory) =>
          use(factory, { positiveLabel, abstentions }),
        ),
      ),
      use(prevalence, { positiveLabel }),
      ...(targetPrevalence === undefined
        ? []
        : [ppvAtPrevalence, npvAtPrevalence].map((factory) =>
            use(factory, { positiveLabel, prevalence: targetPrevalence }),
          )),
    ],
    extended: [
      use(likelihoodRatioPositive, { positiveLabel }),
      use(likelihoodRatioNegative, { positiveLabel }),
      use(netBenefit, { positiveLabel }),
      use(netBenefitTreatAll, { positiveLabel }),
    ],
  }),
  staging: ({ labels = KNOWN_SCALES[0]! }) => {
    // Referral begins at the last label but one.
    const line = labels.at(-2);
    return {
      standard: [
        qwk,
        maeStages,
        offByOneAccuracy,
        underStagingRate,
        severeUnderStagingRate,
        overStagingRate,
      ].map((factory) => use(factory, { labels })),
      extended: [
        use(somersD, { labels }),
        ...(line === undefined ? [] : [use(underStagingAcrossLine, { labels, line })]),
      ],
    };
  },
  progression: () => ({
    standard: (['all', 'answered'] as const).flatMap((denominator) =>
      [worseningRecall, unsafeImprovementRate, falseReassuranceRate].map((factory) =>
        use(factory, { denominator }),
      ),
    ),
    extended: [use(qwk, { labels: COURSE, name: 'qwk_progression' })],
  }),
};

const COURSE: readonly Label[] = ['improving', 'stable', 'worsening'];

function entriesOf(bundle: 'default' | 'extended', options: BundleOptions): Entry[] {
  const pack = options.task === undefined ? null : PACKS[options.task](options);
  return [
    ...defaultEntries(options),
    ...(pack?.standard ?? []),
    ...(bundle === 'default' ? [] : [...EXTENDED, ...(pack?.extended ?? []), plain(runConsistencyMetric)]),
  ];
}

/**
 * The default bundle: the eight metrics that every report prints, those needed to read them honestly, and the pack of the task.
 *
 * @example
 * ```ts
 * defaultBenchmarkMetrics().slice(0, 3).map((metric) => metric.name) // => ['accuracy', 'balanced_accuracy', 'selective_accuracy']
 * ```
 */
export function defaultBenchmarkMetrics(options: BundleOptions = {}): DefinedMetric[] {
  return entriesOf('default', options).map((entry) => entry.make());
}

/**
 * The default bundle and every other metric that needs only the rows.
 *
 * @example
 * ```ts
 * extendedMetrics().some((metric) => metric.name === 'smooth_calibration_error') // => true
 * ```
 */
export function extendedMetrics(options: BundleOptions = {}): DefinedMetric[] {
  return entriesOf('extended', options).map((entry) => entry.make());
}

/** Metrics that need an option no bundle can give. */
const IN_NO_BUNDLE: readonly Entry[] = [use(selectiveUtility, { utility: {} })];

/** Every built-in metric by its name in reports. */
const BY_NAME: ReadonlyMap<string, Entry> = new Map(
  [
    ...TASK_NAMES.flatMap((task) => entriesOf('extended', { task, targetPrevalence: 0.5 })),
    ...IN_NO_BUNDLE,
  ].map((entry) => [entry.make().name, entry]),
);

/**
 * A built-in metric by its name in reports, or undefined. `options` override those the bundles use; a name that ends in one of its options
 * (`coverage_at_risk_05`) is also found without it.
 *
 * @example
 * ```ts
 * builtInMetric('ece')?.name // => 'expected_calibration_error'
 * builtInMetric('coverage_at_risk', { maxRisk: 0.1 })?.name // => 'coverage_at_risk_10'
 * builtInMetric('not_a_metric') // => undefined
 * ```
 */
export function builtInMetric(
  name: string,
  options: Readonly<Record<string, unknown>> = {},
): DefinedMetric | undefined {
  const canonical = canonicalMetricName(name);
  const key = BY_NAME.has(canonical)
    ? canonical
    : [...BY_NAME.keys()].find((known) => known.replace(/_\d+$/, '') === canonical);
  return key === undefined ? undefined : BY_NAME.get(key)!.make(options);
}
