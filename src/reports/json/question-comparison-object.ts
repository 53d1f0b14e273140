import type {
  ComparedQuestionRun,
  ComparedScore,
  ItemFlip,
  QuestionComparison,
  QuestionPair,
} from '../../results/index.ts';
import { metricTraitObject, otherTraitObject } from './trait-objects.ts';

/** A comparison on open questions in its file form, with every flip. */
export function questionComparisonObject(comparison: QuestionComparison) {
  const { nTests, ...method } = comparison.method;
  return {
    schema_version: '1.0',
    kind: 'questions',
    suite: comparison.suiteName,
    suite_hash: comparison.suiteHash,
    models: comparison.models.map(modelObject),
    baseline: comparison.baseline,
    comparisons: comparison.pairs.map(pairObject),
    warnings: comparison.warnings,
    method: { ...method, n_tests: nTests },
  };
}

function modelObject(model: ComparedQuestionRun) {
  return {
    name: model.name,
    backend_name: model.backendName,
    run_file: model.runFile,
    status: model.status,
    simulated: model.simulated,
    judges: model.judges,
    judge_calibrated: model.isCalibrated,
    repeats: model.repeats,
    n_questions: model.nQuestions,
    ledger: model.ledger,
    traits: [...model.metricTraits.map(metricTraitObject), ...model.otherTraits.map(otherTraitObject)],
    metrics: Object.fromEntries(
      model.abstention.map(({ name, value, reason, interval, bounds, nEvaluated }) => [
        name,
        { value, reason, interval, bounds, n_evaluated: nEvaluated },
      ]),
    ),
    elapsed_seconds: model.elapsedSeconds,
    token_total: model.tokens,
    cost_usd: model.costUsd,
  };
}

function pairObject({ model, baseline, scores, flips }: QuestionPair) {
  return {
    model,
    baseline,
    scores: Object.fromEntries(scores.map((score) => [score.metric, scoreObject(score)])),
    flips: {
      n_compared: flips.nCompared,
      n_only_baseline_right: flips.onlyBaselineRight.length,
      n_only_model_right: flips.onlyModelRight.length,
      only_baseline_right: flips.onlyBaselineRight.map(flipObject),
      only_model_right: flips.onlyModelRight.map(flipObject),
    },
  };
}

function scoreObject(score: ComparedScore) {
  return {
    label: score.label,
    trait: score.trait,
    better: score.better,
    n: score.n,
    baseline_value: score.baselineValue,
    model_value: score.modelValue,
    difference: score.difference,
    reason: score.reason,
    interval: score.interval,
    interval_reason: score.intervalReason,
    sign_flip: score.signFlip,
    sign_flip_reason: score.signFlipReason,
    p: score.p,
    p_holm: score.pHolm,
    minimum_detectable_difference: score.minimumDetectableDifference,
    minimum_detectable_reason: score.minimumDetectableReason,
    verdict: score.verdict,
    in_words: score.inWords,
  };
}

function flipObject({ id, trait, itemId, kind, instruction, baseline, model }: ItemFlip) {
  return { id, trait, item_id: itemId, kind, instruction, baseline, model };
}
