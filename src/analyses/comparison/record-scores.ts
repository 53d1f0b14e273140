import type { Columns } from '../../metrics/columns.ts';
import type { Metric } from '../../metrics/metric.ts';
import { mean } from '../../statistics/samples.ts';
import type { Endpoint } from './endpoints.ts';
import type { Pairing } from './pair-records.ts';
import type { RecordRows } from './record-rows.ts';

/** The scores of the paired records in both runs, NaN where a record has none. */
export interface RecordScores {
  readonly baseline: Float64Array;
  readonly model: Float64Array;
}

/**
 * The score of every paired record, the mean over its rows, so that a record asked three times counts once. Null where the metric is no mean over records, or a
 * share that rests on other records in one run than in the other.
 */
export function recordScores({ rowScores, binary }: Endpoint, pairing: Pairing): RecordScores | null {
  if (rowScores === null) return null;
  const of = (side: RecordRows) => {
    const scores = rowScores(side.columns);
    return scores && averageRows(side, scores);
  };
  const [baseline, model] = [of(pairing.baseline), of(pairing.model)];
  if (baseline === null || model === null) return null;
  const sameRecords = baseline.every((score, r) => Number.isNaN(score) === Number.isNaN(model[r]!));
  return binary && !sameRecords ? null : { baseline, model };
}

function averageRows({ start, rows }: RecordRows, rowScores: Float64Array): Float64Array {
  const isAskedOnce = rows.length === start.length - 1;
  if (isAskedOnce) return Float64Array.from(rows, (row) => rowScores[row]!);
  return Float64Array.from({ length: start.length - 1 }, (_, r) => {
    const own = rows.subarray(start[r]!, start[r + 1]!);
    const scores = Float64Array.from(own, (row) => rowScores[row]!).filter((score) => !Number.isNaN(score));
    return mean(scores) ?? Number.NaN;
  });
}

/** How many records the runs answered differently, as far as a metric that is no mean over records can tell. */
export function nAnsweredDifferently({ n, baseline, model }: Pairing, { restsOn }: Metric): number {
  const readsConfidence = restsOn !== 'counts';
  let found = 0;
  for (let r = 0; r < n; r++) {
    const [ours, theirs] = [baseline, model].map(({ columns, start, rows }) =>
      Array.from(rows.subarray(start[r]!, start[r + 1]!), (row) =>
        answer(columns, row, readsConfidence),
      ).join(),
    );
    if (ours !== theirs) found += 1;
  }
  return found;
}

function answer({ state, prediction, labels, confidence }: Columns, row: number, withConfidence: boolean) {
  const label = labels.keys[prediction[row]!];
  return JSON.stringify([state[row], label ?? null, withConfidence ? confidence[row] : null]);
}
