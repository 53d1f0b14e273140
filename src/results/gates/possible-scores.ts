import { type Columns, NO_LABEL, UNLABELLED } from '../../metrics/index.ts';
import type { Endpoint } from '../compare/endpoints.ts';
import type { ScoredRun } from '../compare/scored-run.ts';

/** The least and the most that a record could have scored. */
export interface PossibleScore {
  readonly least: number;
  readonly most: number;
}

/**
 * Every record of a run with the range its mean score could have: a row that failed or never ran may have scored anything from 0 to 1. Without
 * such rows both ends are the score. A record that has no score in this endpoint (no deferral label, no confidence) is not there.
 */
export function possibleScores({ table }: ScoredRun, endpoint: Endpoint): Map<string, PossibleScore> {
  const sums = new Map<string, { sum: number; n: number; open: number }>();
  const entry = ({ record }: Columns, row: number) => {
    if (record.codes[row] === NO_LABEL) return null;
    const id = record.values[record.codes[row]!]!;
    const known = sums.get(id) ?? { sum: 0, n: 0, open: 0 };
    sums.set(id, known);
    return known;
  };
  const { scored, unscored } = table;
  for (let row = 0; row < scored.n; row++) {
    const score = endpoint.rowScore!(scored, row);
    const known = Number.isNaN(score) ? null : entry(scored, row);
    if (known === null) continue;
    known.sum += score;
    known.n += 1;
  }
  const needsLabel = endpoint.metric.name === 'decision_accuracy';
  for (let row = 0; row < unscored.n; row++) {
    if (needsLabel && unscored.shouldAbstain[row] === UNLABELLED) continue;
    const known = entry(unscored, row);
    if (known !== null) known.open += 1;
  }
  return new Map(
    [...sums].map(([id, { sum, n, open }]) => [
      id,
      { least: sum / (n + open), most: (sum + open) / (n + open) },
    ]),
  );
}
