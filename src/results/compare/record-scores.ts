import type { Endpoint } from './endpoints.ts';
import type { RecordRows } from './pair-records.ts';

/** The score of every paired record: the mean over its rows, so that a record asked three times counts once. NaN where no row has a score. */
export function recordScores(
  { columns, start, rows }: RecordRows,
  rowScore: NonNullable<Endpoint['rowScore']>,
): Float64Array {
  const scores = new Float64Array(start.length - 1);
  for (let r = 0; r < scores.length; r++) {
    let sum = 0;
    let n = 0;
    for (let k = start[r]!; k < start[r + 1]!; k++) {
      const score = rowScore(columns, rows[k]!);
      if (Number.isNaN(score)) continue;
      sum += score;
      n += 1;
    }
    scores[r] = n === 0 ? Number.NaN : sum / n;
  }
  return scores;
}
