import type { Label } from '../../core/label.ts';
import { ABSTAINED, ANSWERED } from '../columns.ts';
import { NO_LABEL } from '../label-table.ts';
import type { Sample } from '../sample.ts';
import type { BinaryTable } from '../tables.ts';

/**
 * Decisions by truth for a binary task: the fourfold table of what was answered, and the abstentions beside it. Reports show it as it is. An invalid answer, or a label that no truth has, is wrong: a miss if the truth is positive, a false alarm if it is
 * negative. Rows without a derivable truth stay out.
 */
export function detectionTable(sample: Sample, positiveLabel: Label) {
  return sample.once(`detection:${typeof positiveLabel}:${positiveLabel}`, ({ cells, counts, columns }) => {
    const positive = columns.labels.findCode(positiveLabel);
    const classes = new Set(cells.truth).add(positive);
    const table = { tp: 0, fp: 0, fn: 0, tn: 0, abstained_positive: 0, abstained_negative: 0 };
    for (let c = 0; c < cells.size; c++) {
      const weight = counts[c]!;
      const truth = cells.truth[c]!;
      const prediction = cells.prediction[c]!;
      if (truth === NO_LABEL) continue;
      const usable = cells.state[c] === ANSWERED && classes.has(prediction);
      if (cells.state[c] === ABSTAINED) {
        if (truth === positive) table.abstained_positive += weight;
        else table.abstained_negative += weight;
      } else if (truth === positive) {
        if (usable && prediction === positive) table.tp += weight;
        else table.fn += weight;
      } else if (usable && prediction !== positive) table.tn += weight;
      else table.fp += weight;
    }
    return table;
  });
}

export interface Fourfold extends BinaryTable {
  readonly n: number;
}

export function fourfold(
  table: ReturnType<typeof detectionTable>,
  abstentions: 'answered' | 'itd',
): Fourfold {
  const itd = abstentions === 'itd';
  const { tp, tn } = table;
  const fn = table.fn + (itd ? table.abstained_positive : 0);
  const fp = table.fp + (itd ? table.abstained_negative : 0);
  return { tp, fp, fn, tn, n: tp + fp + fn + tn };
}
