import { wilsonInterval } from './wilson.ts';

/** Successes and trials of two independent groups. */
export interface TwoProportions {
  readonly successesA: number;
  readonly nA: number;
  readonly successesB: number;
  readonly nB: number;
}

/** A difference A - B and its interval. */
export interface DifferenceInterval {
  readonly difference: number;
  readonly lower: number;
  readonly upper: number;
}

/**
 * Difference of two independent proportions with Newcombe's hybrid score interval. With Wilson bounds l, u of each:
 * lower = d - sqrt((pA - lA)^2 + (uB - pB)^2), upper = d + sqrt((uA - pA)^2 + (pB - lB)^2).
 *
 * Null when either group is empty. Not for two models on the same records: those are paired.
 * Source: Newcombe 1998 (his method 10).
 *
 * @example
 * ```ts
 * newcombeDifference({ successesA: 10, nA: 10, successesB: 0, nB: 20 })
 * // => { difference: 1, lower: 0.6790860371419147, upper: 1 }
 * newcombeDifference({ successesA: 1, nA: 2, successesB: 0, nB: 0 }) // => null
 * ```
 */
export function newcombeDifference(groups: TwoProportions, level = 0.95): DifferenceInterval | null {
  const { successesA, nA, successesB, nB } = groups;
  const a = wilsonInterval(successesA, nA, level);
  const b = wilsonInterval(successesB, nB, level);
  if (a === null || b === null) return null;
  const shareA = successesA / nA;
  const shareB = successesB / nB;
  const difference = shareA - shareB;
  return {
    difference,
    lower: Math.max(-1, difference - Math.hypot(shareA - a[0], b[1] - shareB)),
    upper: Math.min(1, difference + Math.hypot(a[1] - shareA, shareB - b[0])),
  };
}
