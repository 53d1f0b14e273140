import { toFile } from '../core/codec.ts';
import { scoreSchema } from '../core/score.ts';
import { rowCountsSchema, type Scorecard } from './score.ts';
import { warningsFor } from './warnings.ts';

const SCORECARD_SCHEMA_VERSION = '1.0';

/** A score as the object of its metrics prints it. */
export const metricSchema = scoreSchema.omit({
  name: true,
  family: true,
  reads: true,
  scoredOf: true,
  ungateable: true,
  facts: true,
  judged: true,
});

/** A scorecard in its file form: snake_case, with null and a reason for undefined values. */
export function scorecardObject(card: Scorecard) {
  return {
    schema_version: SCORECARD_SCHEMA_VERSION,
    task: card.task,
    ...toFile(rowCountsSchema, card),
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
