/** A share with its limits, and how much of the target population it stands for. */
interface WeightedShare {
  /** Share of the target population, between 0 and 1; the weights of all parts sum to 1. */
  readonly weight: number;
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}

/**
 * A share at another mix of its parts (direct standardisation): sum of weight x value. The interval combines the limits of the parts: with
 * independent parts value - sqrt(sum of (weight (value - lower))^2), and the same upwards (the square-and-add method); with parts that may depend
 * on each other, the weighted sums of the limits, which are never too narrow.
 *
 * Source: Zou & Donner 2008.
 *
 * @example
 * ```ts
 * const parts = [{ weight: 0.1, value: 0.5, lower: 0.3, upper: 0.7 }, { weight: 0.9, value: 0.8, lower: 0.7, upper: 0.9 }];
 * standardisedShare(parts) // => { value: 0.77, lower: 0.6778045554270711, upper: 0.862195444572929 }
 * standardisedShare(parts, { independent: false }).lower // => 0.66
 * ```
 */
export function standardisedShare(
  parts: readonly WeightedShare[],
  { independent = true }: { readonly independent?: boolean } = {},
): { value: number; lower: number; upper: number } {
  const sum = (of: (part: WeightedShare) => number) => parts.reduce((total, part) => total + of(part), 0);
  const combine = (terms: readonly number[]) =>
    independent ? Math.hypot(...terms) : terms.reduce((total, term) => total + term, 0);
  const value = sum((part) => part.weight * part.value);
  const below = combine(parts.map((part) => part.weight * (part.value - part.lower)));
  const above = combine(parts.map((part) => part.weight * (part.upper - part.value)));
  return { value, lower: Math.max(0, value - below), upper: Math.min(1, value + above) };
}
