import type { Random } from '../../../statistics/index.ts';

/** A training row in which the column was measured: what the model predicted for it, and what was measured. */
export interface Donor<Value> {
  readonly predicted: number;
  readonly value: Value;
}

/** Draws a measured value among the `count` donors nearest to a prediction. */
export type DrawDonor<Value> = (predicted: number, count: number, random: Random) => Value;

/**
 * Predictive mean matching: the value of one of the donors whose predictions are nearest to the one given, each equally
 * likely. What is drawn was really measured in someone similar. Donors as near as the last of them are drawn from too,
 * so that the order of equals decides nothing.
 * Source: Little 1988; Morris, White & Royston 2014 for drawing among several.
 *
 * @example
 * ```ts
 * donorPool([{ predicted: 1, value: 'a' }, { predicted: 5, value: 'b' }])(4, 1, { integer: () => 0 }) // => 'b'
 * ```
 */
export function donorPool<Value>(donors: readonly Donor<Value>[]): DrawDonor<Value> {
  const sorted = donors.toSorted((a, b) => a.predicted - b.predicted);
  return (predicted, count, random) => {
    const distance = (at: number) => {
      const donor = sorted[at];
      return donor === undefined ? Number.POSITIVE_INFINITY : Math.abs(donor.predicted - predicted);
    };
    // The nearest are adjacent, from `first` up to but not including `end`.
    let first = lowerBound(sorted, predicted);
    let end = first;
    let farthest = 0;
    while (end - first < Math.min(count, sorted.length)) {
      farthest = Math.min(distance(first - 1), distance(end));
      if (distance(first - 1) === farthest) first -= 1;
      else end += 1;
    }
    while (distance(first - 1) <= farthest) first -= 1;
    while (distance(end) <= farthest) end += 1;
    return sorted[first + random.integer(end - first)]!.value;
  };
}

/** The first place whose prediction is not below the one given. */
function lowerBound(sorted: readonly { readonly predicted: number }[], predicted: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]!.predicted < predicted) low = middle + 1;
    else high = middle;
  }
  return low;
}
