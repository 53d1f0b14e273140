import type { Label } from '../../core/index.ts';
import { ABSTAINED, ANSWERED } from '../columns.ts';
import { NO_LABEL } from '../label-table.ts';
import type { Sample } from '../sample.ts';
import { classOrder } from './class-order.ts';

/** A larger table cannot be read, and one of free text would not fit into memory: the rarest classes become `other`. */
const MAX_CLASSES = 60;

export interface Confusion {
  /** Rows without a derivable answer are the truth `null`. */
  readonly truths: readonly string[];
  /** Labels, then `other` where there are other answers, and last `abstained` and `invalid`. */
  readonly answers: readonly string[];
  readonly counts: readonly (readonly number[])[];
}

/** Truth by answer. */
export function confusion(sample: Sample, scale: readonly Label[]): Confusion {
  const { labels } = sample.columns;
  const classes = commonest(sample, scale);
  const columnOf = new Map(classOrder(classes, labels, scale).map((code, i) => [code, i]));
  const names = [...columnOf.keys()].map((code) => String(labels.display[code]));
  const other = names.length;
  const [abstained, invalid] = [other + 1, other + 2];
  const rows = new Map<number, number[]>();
  const { cells, counts } = sample;
  for (let c = 0; c < cells.size; c++) {
    const truth = cells.truth[c] === NO_LABEL ? NO_LABEL : (columnOf.get(cells.truth[c]!) ?? other);
    const row = rows.get(truth) ?? new Array<number>(names.length + 3).fill(0);
    rows.set(truth, row);
    const said =
      cells.state[c] === ANSWERED
        ? (columnOf.get(cells.prediction[c]!) ?? other)
        : cells.state[c] === ABSTAINED
          ? abstained
          : invalid;
    row[said]! += counts[c]!;
  }
  // Classes in order, then rows that belong to none.
  const order = [...rows.keys()].sort((a, b) => place(a) - place(b));
  const withOther = [...rows.values()].some((row) => row[other]! > 0);
  const shown = (_: unknown, i: number) => withOther || i !== other;
  return {
    truths: order.map((truth) => (truth === NO_LABEL ? 'null' : (names[truth] ?? 'other'))),
    answers: [...names, 'other', 'abstained', 'invalid'].filter(shown),
    counts: order.map((truth) => rows.get(truth)!.filter(shown)),
  };
}

function place(truth: number): number {
  return truth === NO_LABEL ? Number.POSITIVE_INFINITY : truth;
}

/** The most frequent classes of the truth and the scale. */
function commonest({ cells, counts, columns }: Sample, scale: readonly Label[]): number[] {
  const rows = new Map<number, number>();
  for (let c = 0; c < cells.size; c++) {
    if (cells.truth[c] !== NO_LABEL) rows.set(cells.truth[c]!, (rows.get(cells.truth[c]!) ?? 0) + counts[c]!);
  }
  for (const label of scale) {
    const code = columns.labels.codeOf(label);
    if (code >= 0) rows.set(code, rows.get(code) ?? 0);
  }
  const byCount = [...rows].sort(([a, n], [b, m]) => m - n || a - b);
  return byCount.slice(0, MAX_CLASSES).map(([code]) => code);
}
