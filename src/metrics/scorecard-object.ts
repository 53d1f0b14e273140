import type { MetricScore } from './metric.ts';
import type { Scorecard } from './score.ts';
import { warningsFor } from './warnings.ts';

const SCORECARD_SCHEMA_VERSION = '1.0';

/** A scorecard in its file form: snake_case, with null and a reason for undefined values. */
export function scorecardObject(card: Scorecard) {
  return {
    schema_version: SCORECARD_SCHEMA_VERSION,
    task: card.task,
    n: card.n,
    n_scored: card.nScored,
    n_missing_confidence: card.nMissingConfidence,
    n_invalid_confidence: card.nInvalidConfidence,
    ledger: card.ledger,
    metrics: Object.fromEntries(card.scores.map((score) => [score.name, scoreObject(score)])),
    subgroups: card.subgroups,
    warnings: warningsFor(card),
    method: card.method,
  };
}

function scoreObject(score: MetricScore) {
  return {
    label: score.label,
    value: score.value,
    reason: score.reason,
    interval: score.interval,
    interval_reason: score.intervalReason,
    bounds: score.bounds,
    n_evaluated: score.nEvaluated,
    n_abstained: score.nAbstained,
    breakdown: score.breakdown,
    details: score.details,
  };
}
