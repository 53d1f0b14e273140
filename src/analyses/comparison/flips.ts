import { pick } from '../../core/collections.ts';
import { USUAL_ENDPOINTS } from '../../metrics/act/leading-scores.ts';
import { builtInMetric } from '../../metrics/registry.ts';
import { sampleRow } from '../../metrics/sample.ts';
import type { Flip, FlipAnswer, Flips } from './comparison.ts';
import { endpointFor } from './endpoints.ts';
import type { Pairing } from './pair-records.ts';
import type { RecordRows } from './record-rows.ts';
import { type RecordScores, recordScores } from './record-scores.ts';

/**
 * The records on which the two models differ: one right, the other not, by the primary endpoint. By decision accuracy a record that should be deferred is right
 * when it was deferred. Without a primary endpoint that is a share: decision accuracy, or accuracy where no record has a deferral label.
 */
export function findFlips(pairing: Pairing, primaryEndpoint: string | null): Flips & { readonly by: string } {
  const { by, scores } = rightAnswers(pairing, primaryEndpoint);
  const onlyBaselineRight: Flip[] = [];
  const onlyModelRight: Flip[] = [];
  let nCompared = 0;
  for (let r = 0; r < pairing.n; r++) {
    const [ours, theirs] = [scores.baseline[r]!, scores.model[r]!];
    if (!Number.isNaN(ours) && !Number.isNaN(theirs)) nCompared += 1;
    if (isOnlyRight(ours, theirs)) onlyBaselineRight.push(flip(pairing, r));
    else if (isOnlyRight(theirs, ours)) onlyModelRight.push(flip(pairing, r));
  }
  return { by, nCompared, onlyBaselineRight, onlyModelRight };
}

/** How often each run has a paired record right, from 0 to 1 over its repeats and NaN where the record is not scored, and the metric `by` which that is decided: see `flipsOf`. */
export function rightAnswers(
  pairing: Pairing,
  primaryEndpoint: string | null,
): { readonly by: string; readonly scores: RecordScores } {
  const candidates = [primaryEndpoint, ...USUAL_ENDPOINTS].flatMap((name) => {
    const metric = name === null ? undefined : builtInMetric(name);
    const endpoint = metric && endpointFor(metric);
    const scores = endpoint?.binary && metric?.better === 'higher' ? recordScores(endpoint, pairing) : null;
    return metric && scores ? [{ by: metric.name, scores }] : [];
  });
  return (
    candidates.find((candidate) => candidate.scores.model.some((score) => !Number.isNaN(score))) ??
    candidates.at(-1)!
  );
}

function flip({ ids, baseline, model }: Pairing, record: number): Flip {
  const { columns, rows, start } = baseline;
  return {
    id: ids[record]!,
    ...pick(sampleRow(columns, rows[start[record]!]!), ['groundTruth', 'shouldAbstain']),
    baseline: answers(baseline, record),
    model: answers(model, record),
  };
}

function answers({ columns, start, rows }: RecordRows, record: number): FlipAnswer[] {
  return Array.from(rows.subarray(start[record]!, start[record + 1]!), (row) => {
    const { state, prediction } = sampleRow(columns, row);
    // As stated, even outside 0 to 1.
    const confidence = columns.confidence[row]!;
    return { state, prediction, confidence: Number.isNaN(confidence) ? null : confidence };
  });
}

/** Means of thirds and tenths are rounded. */
const ROUNDING = 1e-9;

/**
 * Whether only the first of two runs is right on a record or item, from the shares of its repeats that are right: the first is higher by
 * more than one half. Without repeats: 1 against 0.
 *
 * @example
 * ```ts
 * isOnlyRight(1, 1 / 3) // => true
 * isOnlyRight(2 / 3, 1 / 3) // => false
 * ```
 */
export function isOnlyRight(first: number, second: number): boolean {
  return first - second > 0.5 + ROUNDING;
}
