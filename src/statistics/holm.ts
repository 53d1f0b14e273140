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

/** The groups of one variable, each with the p-value of its difference from all others; null where it was not tested. */
export interface GroupedTests {
  readonly name: string;
  readonly groups: readonly { readonly group: string; readonly p: number | null }[];
}

/**
 * Holm's adjustment over the groups of several variables, counting distinct tests. Of two groups, each is the rest of the other: that is
 * one test, with one adjusted p for both, and none if either has no p. One group has nothing to differ from.
 *
 * @example
 * ```ts
 * const sex = { name: 'sex', groups: [{ group: 'f', p: 0.03 }, { group: 'm', p: 0.03 }] };
 * holmGroups([sex]) // => { nTests: 1, adjusted: [{ name: 'sex', groups: [{ group: 'f', p: 0.03 }, { group: 'm', p: 0.03 }] }] }
 * ```
 */
export function holmGroups(variables: readonly GroupedTests[]): {
  readonly nTests: number;
  readonly adjusted: readonly GroupedTests[];
} {
  const tests = variables.map(({ groups }) => distinctTests(groups.map(({ p }) => p)));
  const adjusted = holmAdjust(tests.flat());
  let start = 0;
  return {
    nTests: adjusted.filter((p) => p !== null).length,
    adjusted: variables.map(({ name, groups }, v) => {
      const own = adjusted.slice(start, start + tests[v]!.length);
      start += own.length;
      const shared = own.length < groups.length;
      return { name, groups: groups.map(({ group }, g) => ({ group, p: own[shared ? 0 : g] ?? null })) };
    }),
  };
}

/** One p-value for each distinct test: both groups of two share one. */
function distinctTests(p: readonly (number | null)[]): (number | null)[] {
  if (p.length < 2) return [];
  if (p.length > 2) return [...p];
  return p.includes(null) ? [] : [p[0]!];
}
