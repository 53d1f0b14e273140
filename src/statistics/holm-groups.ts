import { holmAdjust } from './holm.ts';

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
