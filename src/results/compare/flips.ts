import { pick } from '../../core/index.ts';
import { sampleRow } from '../../metrics/index.ts';
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
