import { holmAdjust } from '../holm.ts';
import { mcnemarExact } from '../mcnemar.ts';
import { assertSameLength } from '../samples.ts';
import { chiSquaredTail, studentTail } from '../special-functions.ts';
import { type Cluster, clusterCount, clusterError, halfWidth } from './corrected-mean.ts';
import { isRun } from './flips.ts';

/** Whether two paired outcomes are equivalent within a margin. */
export interface Equivalence {
  readonly difference: number;
  readonly se: number | null;
  readonly lower: number | null;
  readonly upper: number | null;
  readonly p: number | null;
  readonly equivalent: boolean;
  /** Where no pair differs: the share of differing pairs that is excluded. */
  readonly bound: number | null;
}

interface EquivalenceOptions {
  /** Named before the run. */
  readonly margin: number;
  /** Default: 0.05. */
  readonly alpha?: number;
}

/**
 * Two one-sided t tests of variant - base against a margin, with the interval at 1 - 2 alpha. Where no pair differs t has no answer, and pairs are equivalent only if enough of them show it. Null with fewer
 * than two pairs.
 *
 * @example
 * ```ts
 * tostPaired([1, 0, 1], [1, 0, 1], { margin: 0.05 })!.equivalent // => false
 * ```
 */
export function tostPaired(
  base: readonly (number | null)[],
  variant: readonly (number | null)[],
  { margin, alpha = 0.05, clusters }: EquivalenceOptions & { readonly clusters?: readonly Cluster[] },
): Equivalence | null {
  assertSameLength({ base, variant });
  const pairs = base.flatMap((value, i) => {
    const other = variant[i] ?? null;
    return isRun(value) && other !== null ? [{ d: other - value, cluster: clusters?.[i] ?? i }] : [];
  });
  const groups = pairs.map(({ cluster }) => cluster);
  const units = clusterCount(groups);
  if (units < 2) return null;
  const difference = pairs.reduce((sum, { d }) => sum + d, 0) / pairs.length;
  const se = clusterError(
    pairs.map(({ d }) => d - difference),
    groups,
  )!;
  if (se === 0) {
    const bound = pairs.every(({ d }) => d === 0) ? 1 - alpha ** (1 / units) : null;
    const none = { lower: null, upper: null, p: null };
    return { difference, se, ...none, equivalent: bound !== null && bound < margin, bound };
  }
  const half = halfWidth(se, 1 - 2 * alpha, units - 1)!;
  const p = Math.max(
    studentTail((difference + margin) / se, units - 1),
    studentTail((margin - difference) / se, units - 1),
  );
  const [lower, upper] = [difference - half, difference + half];
  return { difference, se, lower, upper, p, equivalent: lower > -margin && upper < margin, bound: null };
}

/**
 * Outcomes (0 or 1) of every record under every group: rates, the gap, Cochran's Q, and each group against the reference. Only complete records count. Null where there is none.
 *
 * @example
 * ```ts
 * const records = [{ a: 1, b: 1 }, { a: 1, b: 0 }];
 * counterfactualGap(['a', 'b'], records, { margin: 0.05 })!.gap // => 0.5
 * ```
 */
export function counterfactualGap(
  groups: readonly string[],
  records: readonly Readonly<Record<string, number | null | undefined>>[],
  { margin, alpha = 0.05, reference = groups[0]! }: EquivalenceOptions & { readonly reference?: string },
) {
  const complete = records.filter((record) => groups.every((group) => isRun(record[group])));
  const n = complete.length;
  if (n === 0 || groups.length === 0) return null;
  const outcomes = (group: string) => complete.map((record) => record[group]!);
  const total = (group: string) => outcomes(group).reduce((sum, value) => sum + value, 0);
  const rates = Object.fromEntries(groups.map((group) => [group, total(group) / n]));
  const least = Math.min(...Object.values(rates));
  const worst = groups.filter((group) => rates[group] === least);
  const others = groups.filter((group) => group !== reference);
  const holm = holmAdjust(
    others.map((group) => {
      const [b, c] = [
        discordant(outcomes(group), outcomes(reference)),
        discordant(outcomes(reference), outcomes(group)),
      ];
      return mcnemarExact(b, c).pExact;
    }),
  );
  const q = cochranQ(groups.map(outcomes));
  return {
    n,
    nIncomplete: records.length - n,
    rates,
    gap: Math.max(...Object.values(rates)) - least,
    worstGroup: worst.length === 1 ? worst[0]! : null,
    cochranQ: q,
    pQ: q === null ? null : chiSquaredTail(q, groups.length - 1),
    againstReference: Object.fromEntries(
      others.map((group, i) => [
        group,
        {
          difference: rates[group]! - rates[reference]!,
          pHolm: holm[i]!,
          equivalent:
            tostPaired(outcomes(reference), outcomes(group), { margin, alpha })?.equivalent ?? false,
        },
      ]),
    ),
  };
}

function discordant(a: readonly number[], b: readonly number[]): number {
  return a.filter((value, i) => value > b[i]!).length;
}

/** Null where no record differs between groups, or with fewer than two groups. */
function cochranQ(columns: readonly (readonly number[])[]): number | null {
  const k = columns.length;
  const totals = columns.map((column) => column.reduce((sum, value) => sum + value, 0));
  const rows = columns[0]!.map((_, i) => columns.reduce((sum, column) => sum + column[i]!, 0));
  const all = totals.reduce((sum, value) => sum + value, 0);
  const spread = rows.reduce((sum, row) => sum + row * (k - row), 0);
  if (k < 2 || spread === 0) return null;
  return ((k - 1) * (k * totals.reduce((sum, value) => sum + value ** 2, 0) - all ** 2)) / spread;
}
