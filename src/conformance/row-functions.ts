import { type EvaluationResult, evaluationResult, type Label } from '../core/index.ts';
import {
  abstentionRate,
  accuracy,
  adaptiveCalibrationError,
  answerRate,
  augrc,
  aurc,
  aurocConfidence,
  balancedAccuracy,
  brierDecomposition,
  brierParts,
  brierScore,
  brierTopLabel,
  coverageAtRisk,
  curveOf,
  type DetectionOptions,
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
  detectionTable,
  eAugrc,
  eAurc,
  effectiveReliability,
  estimateOf,
  expectedCalibrationError,
  expectedCalibrationErrorDebiased,
  extendedMetrics,
  f1,
  falseReassuranceRate,
  fprAt95Tpr,
  invalidRate,
  logLoss,
  type Metric,
  maeStages,
  maximumCalibrationError,
  mcc,
  netBenefit,
  netBenefitTreatAll,
  npv,
  type OrdinalOptions,
  offByOneAccuracy,
  overconfidence,
  overStagingRate,
  type ProgressionOptions,
  ppv,
  qwk,
  Sample,
  selectiveAccuracy,
  selectiveRiskAtCoverage,
  selectiveUtility,
  sensitivity,
  severeUnderStagingRate,
  smoothCalibrationError,
  specificity,
  subgroupGap,
  trivialPolicies,
  underStagingRate,
  unsafeAnswerRate,
  unsafeImprovementRate,
  worseningRecall,
} from '../metrics/index.ts';

type Row = Record<string, unknown>;
// Parameters come from a file of reference cases; a wrong type there shows as a failed case.
// biome-ignore lint/suspicious/noExplicitAny: the file's own signatures say what each function takes
type Params = Record<string, any>;
type RowFunction = (rows: readonly Row[], params: Params) => unknown;

/** A metric as a function of rows and parameters. */
function of(make: (params: Params) => Metric): RowFunction {
  return (rows, params) => {
    const estimate = estimateOf(make(params), sampleOf(rows, params));
    return typeof estimate === 'number' ? estimate : null;
  };
}

const detection = (make: (options: DetectionOptions) => Metric) =>
  of((p) => make({ positiveLabel: p.positive_label, ...(p.abstentions && { abstentions: p.abstentions }) }));
const ordinal = (make: (options: OrdinalOptions) => Metric) => of((p) => make({ labels: p.labels }));
const progression = (make: (options: ProgressionOptions) => Metric) =>
  of((p) => make(p.denominator ? { denominator: p.denominator } : {}));
const binned = (make: (options: { bins?: number }) => Metric) =>
  of((p) => make(p.n_bins ? { bins: p.n_bins } : {}));
const costs = (make: typeof deferralCost) =>
  of((p) => make({ missed: p.cost_missed_deferral ?? 5, needless: p.cost_needless_deferral ?? 1 }));

/** Every reference function that takes rows, by its name in the file. */
export const rowFunctions: Record<string, RowFunction> = {
  accuracy: of(accuracy),
  selective_accuracy: of(selectiveAccuracy),
  coverage: of(answerRate),
  answer_rate: of(answerRate),
  abstention_rate: of(abstentionRate),
  balanced_accuracy: of((p) => balancedAccuracy(p.denominator ? { denominator: p.denominator } : {})),
  decision_accuracy: of(decisionAccuracy),
  unsafe_answer_rate: of(unsafeAnswerRate),
  invalid_rate: of(invalidRate),
  deferral_alignment: of(deferralAlignment),
  deferral_precision: of(deferralPrecision),
  deferral_recall: of(deferralRecall),
  deferral_specificity: of(deferralSpecificity),
  deferral_f1: of(deferralF1),
  deferral_mcc: of(deferralMcc),
  deferral_balanced: of(deferralBalanced),
  deferral_cost: costs(deferralCost),
  deferral_cost_normalised: costs(deferralCostNormalised),
  deferral_trivial_policies: (rows, params) => trivialPolicies(sampleOf(rows, params)),
  expected_calibration_error: binned(expectedCalibrationError),
  adaptive_calibration_error: binned(adaptiveCalibrationError),
  maximum_calibration_error: binned(maximumCalibrationError),
  expected_calibration_error_debiased: (rows, params) => {
    if ((params.norm ?? 'l2') !== 'l2') throw new Error(`norm "${params.norm}" is not known; only l2`);
    return binned(expectedCalibrationErrorDebiased)(rows, params);
  },
  smooth_calibration_error: of(smoothCalibrationError),
  brier_score: of((p) =>
    brierScore(p.positive_label === undefined ? {} : { positiveLabel: p.positive_label }),
  ),
  brier_top_label: of(brierTopLabel),
  brier_decomposition: (rows, params) => {
    const sample = sampleOf(rows, params);
    return sample.confidence.n === 0 ? null : brierParts(sample);
  },
  brier_skill: of(brierDecomposition),
  log_loss: of((p) => logLoss(p.eps === undefined ? {} : { eps: p.eps })),
  overconfidence: of(overconfidence),
  auroc_confidence: of(aurocConfidence),
  augrc: of(augrc),
  e_augrc: of(eAugrc),
  aurc: of((p) => aurc(p.method ? { method: p.method } : {})),
  e_aurc: (rows, params) => {
    if ((params.method ?? 'mean') !== 'mean')
      throw new Error(`method "${params.method}" is not known; only mean`);
    return of(eAurc)(rows, params);
  },
  risk_coverage_curve: (rows, params) => curveOf(sampleOf(rows, params).confidence),
  selective_risk_at_coverage: of((p) =>
    selectiveRiskAtCoverage({ coverage: p.coverage, ...(p.base && { base: p.base }) }),
  ),
  coverage_at_risk: of((p) => coverageAtRisk({ maxRisk: p.max_risk })),
  fpr_at_95_tpr: of((p) => fprAt95Tpr(p.tpr === undefined ? {} : { tpr: p.tpr })),
  sensitivity: detection(sensitivity),
  specificity: detection(specificity),
  ppv: detection(ppv),
  npv: detection(npv),
  f1: detection(f1),
  mcc: detection(mcc),
  confusion_3x2: (rows, params) => {
    const table = detectionTable(sampleOf(rows, params), params.positive_label as Label);
    const { tp, fp, fn, tn, abstainedPositive, abstainedNegative } = table;
    return { tp, fp, fn, tn, abstained_positive: abstainedPositive, abstained_negative: abstainedNegative };
  },
  qwk: ordinal(qwk),
  mae_stages: ordinal(maeStages),
  off_by_one_accuracy: ordinal(offByOneAccuracy),
  under_staging_rate: ordinal(underStagingRate),
  severe_under_staging_rate: ordinal(severeUnderStagingRate),
  over_staging_rate: ordinal(overStagingRate),
  worsening_recall: progression(worseningRecall),
  unsafe_improvement_rate: progression(unsafeImprovementRate),
  false_reassurance_rate: progression(falseReassuranceRate),
  net_benefit: of((p) =>
    netBenefit({
      positiveLabel: p.positive_label,
      threshold: p.threshold,
      ...(p.abstain_as && { abstainAs: p.abstain_as }),
    }),
  ),
  net_benefit_treat_all: of((p) =>
    netBenefitTreatAll({ positiveLabel: p.positive_label, threshold: p.threshold }),
  ),
  effective_reliability: of((p) => effectiveReliability(p.cost === undefined ? {} : { cost: p.cost })),
  selective_utility: of((p) => selectiveUtility({ utility: p.utility })),
  subgroup_gap: (rows, params) => {
    const metric = metricByName(params);
    const options = { minN: params.min_n ?? 30, minShown: 0, resamples: 0 };
    const found = subgroupGap(sampleOf(rows, params, [params.by]), metric, params.by, options);
    return { ...found, groups: Object.fromEntries(found.groups.map(({ group, value }) => [group, value])) };
  },
};

function metricByName(params: Params): Metric {
  const name = params.metric === 'coverage' ? 'answer_rate' : params.metric;
  const positiveLabel = params.positive_label;
  const bundle = extendedMetrics(positiveLabel === undefined ? {} : { task: 'detection', positiveLabel });
  const metric = bundle.find((known) => known.name === name);
  if (metric === undefined) throw new Error(`no metric "${params.metric}"`);
  return metric;
}

function sampleOf(rows: readonly Row[], params: Params, keep: readonly string[] = []): Sample {
  return Sample.of(rows.map(toRow), { confidencePolicy: params.confidence_policy ?? 'invalid', keep });
}

function toRow(row: Row): EvaluationResult {
  return evaluationResult({
    prediction: (row.prediction ?? null) as Label | null,
    groundTruth: (row.ground_truth ?? null) as Label | null,
    abstained: row.abstained === true,
    confidence: typeof row.confidence === 'number' ? row.confidence : null,
    metadata: (row.metadata ?? {}) as Record<string, unknown>,
  });
}
