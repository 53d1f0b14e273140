import { snakeKeys } from '../../core/index.ts';
import type { ComparedModel, Comparison, PairedComparison } from '../../results/index.ts';
import { metricTraitObject, otherTraitObject } from './trait-objects.ts';

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

function modelObject(model: ComparedModel) {
  const { metricTraits, otherTraits, abstention, judges, isCalibrated } = model.judging!;
  return {
    name: model.name,
    backend_name: model.backendName,
    run_file: model.runFile,
    status: model.status,
    simulated: model.simulated,
    repeats: model.repeats,
    n_questions: model.nRecords,
    ledger: model.ledger,
    judges,
    judge_calibrated: isCalibrated,
    elapsed_seconds: model.elapsedSeconds,
    token_total: model.tokens,
    cost_usd: model.costUsd,
    traits: [...metricTraits.map(metricTraitObject), ...otherTraits.map(otherTraitObject)],
    metrics: Object.fromEntries(
      abstention.map(({ name, value, reason, interval, bounds, nEvaluated }) => [
        name,
        { value, reason, interval, bounds, n_evaluated: nEvaluated },
      ]),
    ),
  };
}

function pairObject({ model, baseline, endpoints, itemFlips }: PairedComparison) {
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
    flips: {
      n_compared: flips.nCompared,
      n_only_baseline_right: flips.onlyBaselineRight.length,
      n_only_model_right: flips.onlyModelRight.length,
      only_baseline_right: flips.onlyBaselineRight.map(snakeKeys),
      only_model_right: flips.onlyModelRight.map(snakeKeys),
    },
  };
}
