import { normalQuantile } from '../../../statistics/index.ts';

/**
 * The normal scores of values: the rank of each, as a quantile of the standard normal. Equal values share the mean of
 * their ranks; null stays null.
 *
 * Formula: z = Phi^-1((rank - 1/2) / n), over the n values that are there (Hazen's plotting position).
 *
 * @example
 * ```ts
 * normalScores([7, null, 7]) // => [0, null, 0]
 * normalScores([1, 100])[1] // => 0.6744897501960817
 * ```
 */
export function normalScores(values: readonly (number | null)[]): (number | null)[] {
  const sorted = values.filter((value) => value !== null).toSorted((a, b) => a - b);
  const scores = new Map<number, number>();
  for (let first = 0; first < sorted.length; ) {
    const value = sorted[first]!;
    let end = first;
    while (sorted[end] === value) end += 1;
    // Ranks first + 1 to end have the mean (first + 1 + end) / 2.
    scores.set(value, normalQuantile((first + end) / 2 / sorted.length));
    first = end;
  }
  return values.map((value) => (value === null ? null : scores.get(value)!));
}
