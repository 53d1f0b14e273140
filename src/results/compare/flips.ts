import { ABSTAINED, ANSWERED, NO_LABEL, UNLABELLED } from '../../metrics/index.ts';
import type { Flip, FlipAnswer, Flips } from './comparison.ts';
import { isRight } from './endpoints.ts';
import type { Pairing, RecordRows } from './pair-records.ts';

/** The records on which the two models part: one right, the other not. */
export function flipsOf(pairing: Pairing): Flips {
  const onlyBaselineRight: Flip[] = [];
  const onlyModelRight: Flip[] = [];
  for (let r = 0; r < pairing.n; r++) {
    const ours = isMostlyRight(pairing.baseline, r);
    if (ours === isMostlyRight(pairing.model, r)) continue;
    (ours ? onlyBaselineRight : onlyModelRight).push(flip(pairing, r));
  }
  return { onlyBaselineRight, onlyModelRight };
}

function isMostlyRight({ columns, start, rows }: RecordRows, record: number): boolean {
  let right = 0;
  for (let k = start[record]!; k < start[record + 1]!; k++) if (isRight(columns, rows[k]!)) right += 1;
  return 2 * right > start[record + 1]! - start[record]!;
}

function flip({ ids, baseline, model }: Pairing, record: number): Flip {
  const { columns, rows, start } = baseline;
  const row = rows[start[record]!]!;
  const label = columns.shouldAbstain[row]!;
  return {
    id: ids[record]!,
    groundTruth: columns.truth[row] === NO_LABEL ? null : columns.labels.display[columns.truth[row]!]!,
    shouldAbstain: label === UNLABELLED ? null : label === 1,
    baseline: answers(baseline, record),
    model: answers(model, record),
  };
}

function answers({ columns, start, rows }: RecordRows, record: number): FlipAnswer[] {
  return Array.from(rows.subarray(start[record]!, start[record + 1]!), (row) => {
    const state = columns.state[row];
    const prediction = columns.prediction[row]!;
    const confidence = columns.confidence[row]!;
    return {
      state: state === ANSWERED ? 'answered' : state === ABSTAINED ? 'abstained' : 'invalid',
      prediction: prediction === NO_LABEL ? null : columns.labels.display[prediction]!,
      confidence: Number.isNaN(confidence) ? null : confidence,
    };
  });
}
