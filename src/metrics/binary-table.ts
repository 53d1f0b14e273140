import type { Estimate } from './metric.ts';

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
