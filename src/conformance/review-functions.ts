import { camelKeys, snakeKeys } from '../core/codec.ts';
import { type CalibrationLabels, calibrationStatus } from '../rubrics/calibration/calibration-status.ts';
import { type JudgeGateInputs, judgeGateStatus } from '../rubrics/calibration/judge-gate-status.ts';
import { type CurrentTexts, type LabelEvent, resolveLabels } from '../rubrics/calibration/resolve-labels.ts';
import { claimPrecision } from '../rubrics/judge/claims.ts';
import { juryDissent, juryVerdicts, juryWeight } from '../rubrics/jury/jury-verdicts.ts';
import { verifyQuote } from '../rubrics/verify-quote.ts';
import {
  contradictionRate,
  criticalFailureRate,
  harmRates,
  weightedGroups,
  weightedScore,
} from '../rubrics/weighted/weighted-score.ts';
import { correctedDifference, correctedMean, ppiMean } from '../statistics/methods/corrected-mean.ts';
import { horvitzThompson, type JudgeCounts, roganGladen } from '../statistics/methods/judge-accuracy.ts';
import {
  accuracyFromVerdictStrata,
  allocateLabels,
  designEffect,
  requiredLabelsForLowerBound,
  requiredLabelsForProportion,
  requiredLabelsForZeroEvents,
  stratifiedEstimate,
  wilsonClustered,
} from '../statistics/methods/label-plan.ts';
import {
  binaryAgreement,
  fleissAgreement,
  gwetAc1,
  kappaAgreement,
  krippendorffAlpha,
} from '../statistics/methods/rater-agreement.ts';
import { type CaseFunction, mapValues, snake } from './case-function.ts';

/** Every reference function of quotes, human review, corrected scores, juries and weighted rubrics, by its name in the file. */
export const reviewFunctions: Record<string, CaseFunction> = {
  required_labels_for_proportion: (inputs, params) =>
    requiredLabelsForProportion(camelKeys(inputs) as { halfWidth: number }, camelKeys(params)),
  required_labels_for_lower_bound: ({ share, target }, params) =>
    requiredLabelsForLowerBound({ share, target }, camelKeys(params)),
  required_labels_for_zero_events: ({ max_rate: rate }, { level }) =>
    requiredLabelsForZeroEvents(rate, level),
  design_effect: ({ values, clusters }) => snake(designEffect(values, clusters)),
  wilson_clustered: ({ values, clusters }, { level }) => snake(wilsonClustered(values, clusters, level)),
  allocate_labels: ({ strata, n }, params) => allocateLabels(strata, n, params)?.map(snakeKeys) ?? null,
  cohen_kappa: (inputs, { level }) => named('kappa', kappaAgreement(inputs as never, { level })),
  weighted_kappa: (inputs, { level, weights = 'linear' }) =>
    named('kappa', kappaAgreement(inputs as never, { level, weights })),
  gwet_ac1: (inputs, { level }) => named('ac1', gwetAc1(inputs as never, { level })),
  krippendorff_alpha: ({ units, clusters }, { level }) =>
    snakeKeys(krippendorffAlpha(units, { clusters, level })),
  fleiss_kappa: ({ counts }) => snake(fleissAgreement(counts)),
  binary_agreement: (inputs) =>
    snakeKeys(binaryAgreement(camelKeys(inputs) as Parameters<typeof binaryAgreement>[0])),
  rogan_gladen: (inputs, params) => roganGladen(camelKeys(inputs) as JudgeCounts, params),
  stratified_estimate: ({ strata }, params) => stratifiedEstimate(strata, params),
  accuracy_from_verdict_strata: ({ judge_present: present, judge_not_present: other }) =>
    snake(accuracyFromVerdictStrata(present, other)),
  horvitz_thompson: (
    { values, inclusion_probabilities: probabilities, clusters, population_size: size },
    { level },
  ) => snake(horvitzThompson(values, probabilities, { clusters, populationSize: size, level })),
  ppi_mean: ({ human, judge_labelled: labelled, judge_unlabelled: unlabelled }, params) =>
    snake(ppiMean(human, labelled, unlabelled, params)),
  corrected_mean: ({ items }, params) => snakeKeys(correctedMean(items, params)),
  corrected_difference: ({ a, b }, params) => snakeKeys(correctedDifference(a, b, params)),
  verify_quote: ({ answer, quote }) => {
    const place = verifyQuote(answer, quote);
    return place && answer.slice(place.start, place.end);
  },
  resolve_labels: ({ events, current }) => {
    const texts = mapValues(current as Record<string, object>, camelKeys) as CurrentTexts;
    const resolved = resolveLabels(events.map(camelKeys) as LabelEvent[], texts);
    return resolved && mapValues(resolved, snakeKeys);
  },
  judge_calibration_status: (inputs, params) =>
    snakeKeys(calibrationStatus(camelKeys(inputs) as CalibrationLabels, camelKeys(params))),
  judge_gate_status: (inputs) => snakeKeys(judgeGateStatus(camelKeys(inputs) as JudgeGateInputs)),
  jury_verdicts: ({ judges, items }, params) => juryVerdicts(judges, items, params).map(snakeKeys),
  jury_weight: ({ right, n }, { n_verdicts: verdicts }) => juryWeight(right, n, verdicts),
  jury_dissent: ({ judges, items }) => {
    const { byJudge, ...rest } = juryDissent(judges, items);
    return { ...snakeKeys(rest), by_judge: mapValues(byJudge, snakeKeys) };
  },
  weighted_rubric_score: ({ questions }, params) => snakeKeys(weightedScore(questions, params)),
  weighted_rubric_groups: ({ questions }) => mapValues(weightedGroups(questions), snakeKeys),
  critical_failure_rate: ({ questions }, { level }) => snakeKeys(criticalFailureRate(questions, level)),
  harm_rates: ({ questions }, params) => snakeKeys(harmRates(questions, params)),
  contradiction_rate: ({ questions }, { level }) => snake(contradictionRate(questions, level)),
  claim_precision: ({ answers }) => snakeKeys(claimPrecision(answers)),
};

function named(name: string, result: { readonly value: number | null } | null): object | null {
  return result && { ...result, [name]: result.value };
}
