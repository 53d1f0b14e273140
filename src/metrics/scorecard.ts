import { z } from 'zod';
import { count, scoreSchema, toFile } from '../core/index.ts';
import type { Scorecard } from './score.ts';
import { warningsFor } from './warnings.ts';

const SCORECARD_SCHEMA_VERSION = '1.0';

const countsSchema = z.object({
  n: count,
  nScored: count,
  nMissingConfidence: count,
  nInvalidConfidence: count,
  nWithoutLabel: count,
});

/** A score as the object of its metrics prints it. */
const metricSchema = scoreSchema.pick({
  label: true,
  value: true,
  reason: true,
  interval: true,
  intervalReason: true,
  bounds: true,
  nSuccesses: true,
  nEvaluated: true,
  nAbstained: true,
  breakdown: true,
  details: true,
});

/** A scorecard in its file form: snake_case, with null and a reason for undefined values. */
export function scorecardObject(card: Scorecard) {
  return {
    schema_version: SCORECARD_SCHEMA_VERSION,
    task: card.task,
    ...toFile(countsSchema, card),
    ledger: card.ledger,
    metrics: Object.fromEntries(
      card.scores.map((score) => [
        score.name,
        toFile(metricSchema, { ...score, nSuccesses: score.nSuccesses ?? null }),
      ]),
    ),
    subgroups: card.subgroups,
    warnings: warningsFor(card),
    method: card.method,
  };
}
