import type { ComparedQuestionRun, QuestionComparison, QuestionPair } from '../../results/index.ts';
import { snakeKeys } from './snake-keys.ts';
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
  const { metricTraits, otherTraits, abstention, isCalibrated, tokens, ...rest } = model;
  return {
    ...snakeKeys(rest),
    judge_calibrated: isCalibrated,
    token_total: tokens,
    traits: [...metricTraits.map(metricTraitObject), ...otherTraits.map(otherTraitObject)],
    metrics: Object.fromEntries(
      abstention.map(({ name, value, reason, interval, bounds, nEvaluated }) => [
        name,
        { value, reason, interval, bounds, n_evaluated: nEvaluated },
      ]),
    ),
  };
}

function pairObject({ model, baseline, scores, flips }: QuestionPair) {
  return {
    model,
    baseline,
    scores: Object.fromEntries(scores.map(({ metric, ...score }) => [metric, snakeKeys(score)])),
    flips: {
      n_compared: flips.nCompared,
      n_only_baseline_right: flips.onlyBaselineRight.length,
      n_only_model_right: flips.onlyModelRight.length,
      only_baseline_right: flips.onlyBaselineRight.map(snakeKeys),
      only_model_right: flips.onlyModelRight.map(snakeKeys),
    },
  };
}
