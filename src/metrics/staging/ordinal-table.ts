import type { Label } from '../../core/index.ts';
import { ABSTAINED, ANSWERED } from '../columns.ts';
import type { Sample } from '../sample.ts';

/** Answers against the truth on an ordered scale. */
export interface OrdinalTable {
  /** counts[truth][prediction], by position on the scale. */
  readonly counts: readonly (readonly number[])[];
  /** Answered rows on the scale. */
  readonly n: number;
  /** Not abstained, but without an answer on the scale: wrong in accuracy, left out here. */
  readonly offScale: number;
  /** Rows whose truth is not on the scale, or not derivable. */
  readonly withoutTruth: number;
}

export function ordinalTable(sample: Sample, scale: readonly Label[]): OrdinalTable {
  return sample.once(`ordinal:${JSON.stringify(scale)}`, ({ cells, counts: weights, columns }) => {
    const position = new Map(scale.map((label, i) => [columns.labels.codeOf(label), i]));
    const counts = scale.map(() => scale.map(() => 0));
    let n = 0;
    let offScale = 0;
    let withoutTruth = 0;
    for (let c = 0; c < cells.size; c++) {
      const weight = weights[c]!;
      const truth = position.get(cells.truth[c]!);
      const prediction = cells.state[c] === ANSWERED ? position.get(cells.prediction[c]!) : undefined;
      if (cells.state[c] === ABSTAINED) continue;
      if (truth === undefined) withoutTruth += weight;
      else if (prediction === undefined) offScale += weight;
      else {
        counts[truth]![prediction]! += weight;
        n += weight;
      }
    }
    return { counts, n, offScale, withoutTruth };
  });
}

/** Sums a weight over all cells of the table. */
export function sumOver(table: OrdinalTable, weight: (truth: number, prediction: number) => number): number {
  let sum = 0;
  table.counts.forEach((row, truth) => {
    row.forEach((count, prediction) => {
      if (count > 0) sum += count * weight(truth, prediction);
    });
  });
  return sum;
}
