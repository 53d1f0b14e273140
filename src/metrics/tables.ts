import { ABSTAINED, ANSWERED } from './columns.ts';
import { NO_LABEL } from './label-table.ts';
import type { Estimate } from './metric.ts';
import type { Sample } from './sample.ts';

/** Counts of rows by what the model did; `n` is all of them. */
interface Outcomes {
  readonly n: number;
  readonly correct: number;
  /** Answered wrong. */
  readonly wrong: number;
  readonly abstained: number;
  /** Refusals included. */
  readonly invalid: number;
  /** Answered or invalid. */
  readonly notAbstained: number;
}

export function countOutcomes(sample: Sample): Outcomes {
  return sample.once(countOutcomes, () => count(sample, false));
}

/** The same without rows that have no label: whether their answer is right cannot be said. */
export function countGradedOutcomes(sample: Sample): Outcomes {
  if (!sample.cells.gradable.includes(0)) return countOutcomes(sample);
  return sample.once(countGradedOutcomes, () => count(sample, true));
}

function count({ cells, counts }: Sample, gradableOnly: boolean): Outcomes {
  let correct = 0;
  let answered = 0;
  let abstained = 0;
  let invalid = 0;
  for (let c = 0; c < cells.size; c++) {
    if (gradableOnly && cells.gradable[c] === 0) continue;
    const weight = counts[c]!;
    if (cells.state[c] === ANSWERED) answered += weight;
    else if (cells.state[c] === ABSTAINED) abstained += weight;
    else invalid += weight;
    if (cells.correct[c] === 1) correct += weight;
  }
  return {
    n: answered + abstained + invalid,
    correct,
    wrong: answered - correct,
    abstained,
    invalid,
    notAbstained: answered + invalid,
  };
}

/** Rows of one true class, or of another group. */
export interface GroupCount {
  n: number;
  correct: number;
  notAbstained: number;
}

/** The true classes by label code. Classes come from the truth, never from predictions; rows without a derivable truth belong to none. */
export function countClasses(sample: Sample): ReadonlyMap<number, GroupCount> {
  return sample.once(countClasses, () => {
    const classes = countBy(sample, sample.cells.truth);
    classes.delete(NO_LABEL);
    return classes;
  });
}

/** Rows by the code of their cell; only cells that `includes` accepts. */
export function countBy(
  { cells, counts }: Sample,
  codes: Int32Array,
  includes: (cell: number) => boolean = () => true,
): Map<number, GroupCount> {
  const groups = new Map<number, GroupCount>();
  for (let c = 0; c < cells.size; c++) {
    const weight = counts[c]!;
    if (weight === 0 || !includes(c)) continue;
    const entry = groups.get(codes[c]!) ?? { n: 0, correct: 0, notAbstained: 0 };
    groups.set(codes[c]!, entry);
    entry.n += weight;
    if (cells.correct[c] === 1) entry.correct += weight;
    if (cells.state[c] !== ABSTAINED) entry.notAbstained += weight;
  }
  return groups;
}

/** A fourfold table: decisions against the truth. */
export type BinaryTable = Readonly<Record<'tp' | 'fp' | 'fn' | 'tn', number>>;

/**
 * Matthews' correlation of a fourfold table: (TP TN - FP FN) / sqrt((TP+FP)(TP+FN)(TN+FP)(TN+FN)).
 * With one class in the truth it is undefined; with two classes and a constant decision it is 0 (no skill).
 * Source: Chicco & Jurman 2020.
 *
 * @example
 * ```ts
 * matthews({ tp: 0, fp: 2, fn: 43, tn: 115 }) // => -0.06820681204345527
 * matthews({ tp: 3, fp: 0, fn: 0, tn: 0 }) // => 'one_class'
 * matthews({ tp: 3, fp: 2, fn: 0, tn: 0 }) // => 0
 * ```
 */
export function matthews({ tp, fp, fn, tn }: BinaryTable): Estimate {
  if (tp + fn + fp + tn === 0) return 'no_rows';
  if (tp + fn === 0 || fp + tn === 0) return 'one_class';
  if (tp + fp === 0 || tn + fn === 0) return 0;
  // A product of square roots stays in range where the product of four large counts would lose digits.
  return (tp * tn - fp * fn) / (Math.sqrt((tp + fp) * (tp + fn)) * Math.sqrt((tn + fp) * (tn + fn)));
}

/**
 * F1 of a fourfold table: 2TP / (2TP + FP + FN); 0/0 is undefined.
 *
 * @example
 * ```ts
 * f1Of({ tp: 2, fp: 2, fn: 1, tn: 3 }) // => 0.5714285714285714
 * f1Of({ tp: 0, fp: 0, fn: 0, tn: 5 }) // => 'no_positives'
 * ```
 */
export function f1Of({ tp, fp, fn }: BinaryTable): Estimate {
  const denominator = 2 * tp + fp + fn;
  return denominator === 0 ? 'no_positives' : (2 * tp) / denominator;
}
