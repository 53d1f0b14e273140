import type { Label } from '../core/label.ts';
import type { MetricFacts } from '../core/score.ts';
import { KNOWN_SCALES } from '../domains/domains.ts';
import { type BundleOptions, TASK_NAMES, type TaskName } from './bundle-options.ts';
import * as metrics from './catalogue.ts';
import type { DefinedMetric } from './define-metric.ts';
import { canonicalMetricName } from './metric.ts';
import type { MetricName } from './metric-names.ts';

export * from './catalogue.ts';

/** A metric as a bundle uses it: made by its factory with the options it gets there, of which a caller may override some. */
interface Entry extends Pick<DefinedMetric, 'companionOf' | 'readBy'> {
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

/** The default bundle, in the order of the reports: 16 metrics, their companions, and what else of Krisis reads. */
function defaultEntries({ positiveLabel, labels, taskLabels, deferralCosts = {} }: BundleOptions): Entry[] {
  const companion = (companionOf: MetricName, entry: Entry): Entry => ({ ...entry, companionOf });
  const read = (readBy: NonNullable<MetricFacts['readBy']>, entry: Entry): Entry => ({ ...entry, readBy });
  const strict = { strict: true };
  return [
    plain(metrics.accuracy),
    plain(metrics.balancedAccuracy),
    plain(metrics.selectiveAccuracy),
    plain(metrics.abstentionRate),
    plain(metrics.answerRate),
    read('headlines', plain(metrics.usableAnswerRate)),
    plain(metrics.missedEmergencyRate),
    plain(metrics.falseAlarmRate),
    plain(metrics.unsafeDecisionRate),
    companion('unsafe_decision_rate', plain(metrics.answeredShouldDeferRate)),
    companion('unsafe_decision_rate', plain(metrics.wrongAnswerRate)),
    companion('decision_accuracy', plain(metrics.deferredWithoutNeedRate)),
    read('reports', plain(metrics.unsafeAnswerRate)),
    plain(metrics.mustActSilenceRate),
    plain(metrics.mustActAccuracy),
    plain(metrics.decisionAccuracy),
    companion('decision_accuracy', plain(metrics.decisionAccuracyClear)),
    plain(metrics.answerableAccuracy),
    companion('selective_accuracy', plain(metrics.answerableSelectiveAccuracy)),
    read('warnings', plain(metrics.invalidRate)),
    plain(metrics.deferralAlignment),
    plain(metrics.deferralRecall),
    read('reports', plain(metrics.deferralMcc)),
    read('reports', use(metrics.deferralCostNormalised, deferralCosts)),
    plain(metrics.expectedCalibrationError),
    companion('expected_calibration_error', use(metrics.expectedCalibrationError, strict)),
    companion(
      'expected_calibration_error',
      use(metrics.expectedCalibrationError, { unanswerable: 'excluded' }),
    ),
    read('headlines', plain(metrics.overconfidence)),
    read('warnings', use(metrics.overconfidence, strict)),
    use(metrics.brierScore, { positiveLabel, taskLabels: taskLabels ?? labels }),
    read('comparisons', plain(metrics.brierTopLabel)),
    read('warnings', use(metrics.aurocConfidence, strict)),
    read('conditions', plain(metrics.confidenceInverted)),
    read('comparisons', plain(metrics.augrc)),
    read('comparisons', use(metrics.augrc, strict)),
  ];
}

/** What the extended bundle adds. */
function extendedEntries({ labelFromValues, deferralCosts = {} }: BundleOptions): Entry[] {
  return [
    ...(labelFromValues ? [plain(metrics.nearLineAccuracy)] : []),
    plain(metrics.unanswerableAnswerRate),
    use(metrics.balancedAccuracy, { denominator: 'answered' }),
    plain(metrics.deferralPrecision),
    plain(metrics.deferralSpecificity),
    plain(metrics.deferralF1),
    plain(metrics.deferralBalanced),
    plain(metrics.groundedDeferralRate),
    use(metrics.deferralCost, deferralCosts),
    plain(metrics.adaptiveCalibrationError),
    plain(metrics.maximumCalibrationError),
    plain(metrics.expectedCalibrationErrorDebiased),
    plain(metrics.smoothCalibrationError),
    plain(metrics.brierDecomposition),
    plain(metrics.logLoss),
    plain(metrics.confidenceWhenWrong),
    plain(metrics.aurocConfidence),
    use(metrics.augrc, { unanswerable: 'excluded' }),
    plain(metrics.eAugrc),
    plain(metrics.aurc),
    use(metrics.aurc, { method: 'trapezoid' }),
    plain(metrics.eAurc),
    plain(metrics.riskCoverageCurve),
    ...[0.8, 0.9, 0.95].map((coverage) => use(metrics.selectiveRiskAtCoverage, { coverage })),
    ...[0.01, 0.05].map((maxRisk) => use(metrics.coverageAtRisk, { maxRisk })),
    plain(metrics.fprAt95Tpr),
    ...[1, 10, 100].map((cost) => use(metrics.effectiveReliability, { cost })),
  ];
}

/** What the task packs add to the default and to the extended bundle. */
const PACKS: Readonly<
  Record<TaskName, (options: BundleOptions) => { readonly standard: Entry[]; readonly extended: Entry[] }>
> = {
  detection: ({ positiveLabel, targetPrevalence }) => ({
    standard: [
      ...(['answered', 'itd'] as const).flatMap((abstentions) =>
        [metrics.sensitivity, metrics.specificity, metrics.ppv, metrics.npv, metrics.f1, metrics.mcc].map(
          (factory) => use(factory, { positiveLabel, abstentions }),
        ),
      ),
      use(metrics.prevalence, { positiveLabel }),
      ...(targetPrevalence === undefined
        ? []
        : [metrics.ppvAtPrevalence, metrics.npvAtPrevalence].map((factory) =>
            use(factory, { positiveLabel, prevalence: targetPrevalence }),
          )),
    ],
    extended: [
      use(metrics.likelihoodRatioPositive, { positiveLabel }),
      use(metrics.likelihoodRatioNegative, { positiveLabel }),
      use(metrics.netBenefit, { positiveLabel }),
      use(metrics.netBenefitTreatAll, { positiveLabel }),
    ],
  }),
  staging: ({ labels = KNOWN_SCALES[0]! }) => {
    // Referral begins at the last label but one.
    const line = labels.at(-2);
    return {
      standard: [
        metrics.qwk,
        metrics.maeStages,
        metrics.offByOneAccuracy,
        metrics.underStagingRate,
        metrics.severeUnderStagingRate,
        metrics.overStagingRate,
      ].map((factory) => use(factory, { labels })),
      extended: [
        use(metrics.somersD, { labels }),
        ...(line === undefined ? [] : [use(metrics.underStagingAcrossLine, { labels, line })]),
      ],
    };
  },
  progression: () => ({
    standard: (['all', 'answered'] as const).flatMap((denominator) =>
      [metrics.worseningRecall, metrics.unsafeImprovementRate, metrics.falseReassuranceRate].map((factory) =>
        use(factory, { denominator }),
      ),
    ),
    extended: [use(metrics.qwk, { labels: COURSE, name: 'qwk_progression' })],
  }),
};

const COURSE: readonly Label[] = ['improving', 'stable', 'worsening'];

function listEntries(bundle: 'default' | 'extended', options: BundleOptions): Entry[] {
  const pack = options.task === undefined ? null : PACKS[options.task](options);
  return [
    ...defaultEntries(options),
    ...(pack?.standard ?? []),
    ...(bundle === 'default'
      ? []
      : [...extendedEntries(options), ...(pack?.extended ?? []), plain(metrics.runConsistencyMetric)]),
  ];
}

/**
 * The default bundle: 16 metrics with their companions (`companionOf`), the pack of the task, and what warnings, headlines and comparisons
 * read (`readBy`), which lists of the bundle leave out.
 *
 * @example
 * ```ts
 * defaultBenchmarkMetrics().filter(({ companionOf, readBy }) => !companionOf && !readBy).length // => 16
 * ```
 */
export function defaultBenchmarkMetrics(options: BundleOptions = {}): DefinedMetric[] {
  return listEntries('default', options).map(({ make, companionOf, readBy }) => ({
    ...make(),
    ...(companionOf && { companionOf }),
    ...(readBy && { readBy }),
  }));
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
  return listEntries('extended', options).map(({ make }) => make());
}

/** Metrics that need an option no bundle can give, or rows with scores. */
const IN_NO_BUNDLE: readonly Entry[] = [
  use(metrics.selectiveUtility, { utility: {} }),
  plain(metrics.meanScore),
  plain(metrics.correctedScore),
];

/** Every built-in metric by its name in reports. */
const BY_NAME: ReadonlyMap<string, Entry> = new Map(
  [
    ...TASK_NAMES.flatMap((task) =>
      listEntries('extended', { task, targetPrevalence: 0.5, labelFromValues: true }),
    ),
    ...IN_NO_BUNDLE,
  ].map((entry) => [entry.make().name, entry]),
);

/** Every built-in metric, with the options of the bundles. */
export function builtInMetrics(): DefinedMetric[] {
  return [...BY_NAME.values()].map(({ make }) => make());
}

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
