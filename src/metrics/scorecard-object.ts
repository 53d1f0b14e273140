import { pick, snakeKeys } from '../core/index.ts';
import type { MetricScore } from './metric.ts';
import type { Scorecard } from './score.ts';
import { warningsFor } from './warnings.ts';

const SCORECARD_SCHEMA_VERSION = '1.0';

/** A scorecard in its file form: snake_case, with null and a reason for undefined values. */
export function scorecardObject(card: Scorecard) {
  return {
    schema_version: SCORECARD_SCHEMA_VERSION,
    task: card.task,
    ...snakeKeys(pick(card, ['n', 'nScored', 'nMissingConfidence', 'nInvalidConfidence', 'nWithoutLabel'])),
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
    ...snakeKeys(pick(score, ['value', 'reason', 'interval', 'intervalReason', 'bounds'])),
    n_successes: score.nSuccesses ?? null,
    ...snakeKeys(pick(score, ['nEvaluated', 'nAbstained', 'breakdown', 'details'])),
  };
}
