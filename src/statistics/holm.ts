/**
 * Holm's step-down adjustment for m tests: with the p-values in ascending order, adjusted_i = max over j <= i of
 * min(1, (m - j + 1) p_j). The result is in the order given.
 *
 * Null (a test that could not be done) stays null and does not count in m. Source: Holm 1979.
 *
 * @example
 * ```ts
 * holmAdjust([0.01, 0.04, 0.03]) // => [0.03, 0.06, 0.06]
 * holmAdjust([0.001, 0.9, 0.8]) // => [0.003, 1, 1]
 * holmAdjust([0.02, null, 0.5]) // => [0.04, null, 0.5]
 * holmAdjust([]) // => []
 * ```
 */
export function holmAdjust(pValues: readonly (number | null)[]): (number | null)[] {
  const tested = pValues
    .flatMap((p, position) => (p === null || Number.isNaN(p) ? [] : [{ p, position }]))
    .sort((a, b) => a.p - b.p);
  const adjusted: (number | null)[] = pValues.map(() => null);
  let reached = 0;
  tested.forEach(({ p, position }, rank) => {
    reached = Math.max(reached, Math.min(1, (tested.length - rank) * p));
    adjusted[position] = reached;
  });
  return adjusted;
}
