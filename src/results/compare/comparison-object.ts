import { snakeKeys } from '../../core/index.ts';
import type { MetricScore } from '../../metrics/index.ts';
import type { ComparedModel, Comparison, EndpointComparison, PairedComparison } from './comparison.ts';

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
  const { nRecords: _n, judging: _j, scores, elapsedSeconds, tokens, costUsd, ...same } = model;
  return {
    ...snakeKeys(same),
    imported: same.imported && snakeKeys(same.imported),
    metrics: Object.fromEntries(scores.map((score) => [score.name, scoreObject(score)])),
    elapsed_seconds: elapsedSeconds,
    token_total: tokens,
    cost_usd: costUsd,
  };
}

function scoreObject({ value, reason, interval, intervalReason, bounds, nEvaluated }: MetricScore) {
  return snakeKeys({ value, reason, interval, intervalReason, bounds, nEvaluated });
}

function pairObject({
  leftOut,
  hasRepeats,
  endpoints,
  flips,
  itemFlips: _,
  corrected: _c,
  ...same
}: PairedComparison) {
  const { by, nCompared, onlyBaselineRight, onlyModelRight } = flips;
  return {
    ...snakeKeys(same),
    left_out: snakeKeys(leftOut),
    repeats_averaged: hasRepeats,
    endpoints: Object.fromEntries(endpoints.map(endpointEntry)),
    flips: {
      by,
      n_compared: nCompared,
      n_only_baseline_right: onlyBaselineRight.length,
      n_only_model_right: onlyModelRight.length,
      only_baseline_right: onlyBaselineRight.map(snakeKeys),
      only_model_right: onlyModelRight.map(snakeKeys),
    },
  };
}

function endpointEntry({ metric, trait: _t, isShare: _s, ...same }: EndpointComparison) {
  return [metric, { ...snakeKeys(same), mcnemar: same.mcnemar && snakeKeys(same.mcnemar) }] as const;
}
