import type { MetricScore } from '../../metrics/index.ts';
import type { ComparedModel, Comparison, EndpointComparison, Flip, PairedComparison } from './comparison.ts';

const COMPARISON_SCHEMA_VERSION = '1.0';

/** A comparison in its file form: snake_case, undefined is null with a reason, all flips. */
export function comparisonObject(comparison: Comparison): Record<string, unknown> {
  const { nTests: _, ...labelMethod } = comparison.method;
  return {
    schema_version: COMPARISON_SCHEMA_VERSION,
    suite: comparison.suiteName,
    suite_hashes: comparison.suiteHashes,
    primary_endpoint: comparison.primaryEndpoint,
    models: comparison.models.map(modelObject),
    baseline: comparison.baseline,
    comparisons: comparison.pairs.map(pairObject),
    not_paired: comparison.notPaired,
    warnings: comparison.warnings,
    method: labelMethod,
  };
}

function modelObject(model: ComparedModel) {
  const { imported } = model;
  return {
    name: model.name,
    backend_name: model.backendName,
    run_file: model.runFile,
    suite_hash: model.suiteHash,
    arm: model.arm,
    status: model.status,
    simulated: model.simulated,
    imported: imported && {
      format: imported.format,
      source: imported.source,
      sha256: imported.sha256,
      has_rows: imported.hasRows,
    },
    repeats: model.repeats,
    n: model.n,
    n_scored: model.nScored,
    ledger: model.ledger,
    metrics: Object.fromEntries(model.scores.map((score) => [score.name, scoreObject(score)])),
    elapsed_seconds: model.elapsedSeconds,
    token_total: model.tokens,
    cost_usd: model.costUsd,
  };
}

function scoreObject({ value, reason, interval, intervalReason, bounds, nEvaluated }: MetricScore) {
  return { value, reason, interval, interval_reason: intervalReason, bounds, n_evaluated: nEvaluated };
}

function pairObject(pair: PairedComparison) {
  const { leftOut, flips } = pair;
  return {
    model: pair.model,
    baseline: pair.baseline,
    n_paired: pair.nPaired,
    left_out: {
      failed_in_baseline: leftOut.failedInBaseline,
      failed_in_model: leftOut.failedInModel,
      not_run_in_baseline: leftOut.notRunInBaseline,
      not_run_in_model: leftOut.notRunInModel,
      only_in_baseline: leftOut.onlyInBaseline,
      only_in_model: leftOut.onlyInModel,
      truth_differs: leftOut.truthDiffers,
    },
    repeats_averaged: pair.hasRepeats,
    endpoints: Object.fromEntries(
      pair.endpoints.map((endpoint) => [endpoint.metric, endpointObject(endpoint)]),
    ),
    flips: {
      n_only_baseline_right: flips.onlyBaselineRight.length,
      n_only_model_right: flips.onlyModelRight.length,
      only_baseline_right: flips.onlyBaselineRight.map(flipObject),
      only_model_right: flips.onlyModelRight.map(flipObject),
    },
  };
}

function endpointObject(endpoint: EndpointComparison) {
  const { mcnemar } = endpoint;
  return {
    label: endpoint.label,
    better: endpoint.better,
    kind: endpoint.kind,
    n: endpoint.n,
    baseline_value: endpoint.baselineValue,
    model_value: endpoint.modelValue,
    difference: endpoint.difference,
    reason: endpoint.reason,
    interval: endpoint.interval,
    interval_reason: endpoint.intervalReason,
    mcnemar: mcnemar && { b: mcnemar.b, c: mcnemar.c, p_exact: mcnemar.pExact, p_mid: mcnemar.pMid },
    mcnemar_reason: endpoint.mcnemarReason,
    sign_flip: endpoint.signFlip,
    sign_flip_reason: endpoint.signFlipReason,
    p: endpoint.p,
    p_holm: endpoint.pHolm,
    minimum_detectable_difference: endpoint.minimumDetectableDifference,
    minimum_detectable_reason: endpoint.minimumDetectableReason,
    verdict: endpoint.verdict,
    in_words: endpoint.inWords,
  };
}

function flipObject({ id, groundTruth, shouldAbstain, baseline, model }: Flip) {
  return { id, ground_truth: groundTruth, should_abstain: shouldAbstain, baseline, model };
}
