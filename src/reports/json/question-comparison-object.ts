import { snakeKeys } from '../../core/index.ts';
import type { ComparedModel, Comparison, PairedComparison } from '../../results/index.ts';
import { itemScoresObject, metricTraitObject, otherTraitObject } from './trait-objects.ts';

/** A comparison on open questions in its file form, with every flip. */
export function questionComparisonObject(comparison: Comparison) {
  const { nTests, ...method } = comparison.method;
  return {
    schema_version: '1.0',
    kind: 'questions',
    suite: comparison.suiteName,
    suite_hash: comparison.suiteHashes[0] ?? null,
    models: comparison.models.map(modelObject),
    baseline: comparison.baseline,
    comparisons: comparison.pairs.map(pairObject),
    warnings: comparison.warnings,
    method: { ...method, n_tests: nTests },
  };
}

function modelObject({ nRecords, judging, tokens, ...model }: ComparedModel) {
  const { metricTraits, otherTraits, itemScores, abstention, judges, judgeStatus } = judging!;
  // What only a comparison of labels says of a model.
  const { suiteHash: _h, arm: _a, imported: _i, n: _n, nScored: _s, scores: _c, ...same } = model;
  return {
    ...snakeKeys(same),
    n_questions: nRecords,
    judges,
    judge_calibrated: judgeStatus === 'calibrated',
    judge_status: judgeStatus,
    token_total: tokens,
    traits: [...metricTraits.map(metricTraitObject), ...otherTraits.map(otherTraitObject)],
    item_scores: itemScoresObject(itemScores),
    metrics: Object.fromEntries(
      abstention.map(({ name, value, reason, interval, bounds, nEvaluated }) => [
        name,
        { value, reason, interval, bounds, n_evaluated: nEvaluated },
      ]),
    ),
  };
}

function pairObject({ model, baseline, endpoints, itemFlips, corrected }: PairedComparison) {
  const flips = itemFlips!;
  return {
    model,
    baseline,
    scores: Object.fromEntries(
      endpoints.map(({ metric, kind: _k, isShare: _s, mcnemar: _m, mcnemarReason: _r, ...score }) => [
        metric,
        snakeKeys(score),
      ]),
    ),
    ...(corrected.length > 0 && {
      corrected: Object.fromEntries(corrected.map(({ metric, ...found }) => [metric, snakeKeys(found)])),
    }),
    flips: {
      n_compared: flips.nCompared,
      n_only_baseline_right: flips.onlyBaselineRight.length,
      n_only_model_right: flips.onlyModelRight.length,
      only_baseline_right: flips.onlyBaselineRight.map(snakeKeys),
      only_model_right: flips.onlyModelRight.map(snakeKeys),
    },
  };
}
