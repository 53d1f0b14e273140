import { labelTextKey, matches, type RecordFilter } from './record-filter.ts';
import type { RecordLine } from './record-line.ts';

/** Lists of the filter whose values are counted. */
export const FACETS = [
  'decision_class',
  'case_kind',
  'outcome',
  'label',
  'prediction',
  'stratum',
  'reason',
  'should_abstain',
  'urgent',
] as const;
export type Facet = (typeof FACETS)[number];

/** A value to choose, and how many rows have it. */
export interface FacetCount {
  readonly value: string;
  /** 0 for a value that only rows outside the filter have. */
  readonly n: number;
}

/** How many rows each value of the filter's lists would find. */
export interface FacetCounts {
  /** Rows that match the whole filter. */
  readonly total: number;
  /** By the name of a list in the filter. Values are counted under all other conditions of the filter, so that a value can be added to those chosen. */
  readonly counts: Readonly<Record<Facet, readonly FacetCount[]>>;
  /** The same for each key that the filter's `group` can name. */
  readonly groups: Readonly<Record<string, readonly FacetCount[]>>;
}

/** The filter without the conditions of one list. */
export function withoutFacet(filter: RecordFilter, facet: Facet): RecordFilter {
  return { ...filter, [facet]: [] };
}

/** The filter without the conditions on one key of `group`. */
export function withoutGroup(filter: RecordFilter, key: string): RecordFilter {
  return { ...filter, group: filter.group?.filter((text) => !text.startsWith(`${key}:`)) ?? [] };
}

/** Counts rows by value. An export counts with this function in the page; the server uses SQL (query-facets.ts), and a test checks that the two agree. */
export function countFacets(
  lines: readonly RecordLine[],
  filter: RecordFilter,
  flipIds?: ReadonlySet<string>,
): FacetCounts {
  const count = (
    chosen: RecordFilter,
    valuesOf: (line: RecordLine) => readonly string[],
    isLabel = false,
  ) => {
    const found = new Map<string, { value: string; n: number }>();
    for (const line of lines) {
      const isCounted = matches(line, chosen, flipIds);
      for (const value of valuesOf(line)) {
        const key = isLabel ? labelTextKey(value) : value;
        const entry = found.get(key) ?? { value, n: 0 };
        found.set(key, entry);
        if (isCounted) entry.n += 1;
      }
    }
    return inOrder([...found.values()]);
  };
  const keys = new Set(lines.flatMap(({ groups }) => Object.keys(groups)));
  return {
    total: lines.filter((line) => matches(line, filter, flipIds)).length,
    counts: Object.fromEntries(
      FACETS.map((facet) => [
        facet,
        count(withoutFacet(filter, facet), VALUES[facet], facet === 'label' || facet === 'prediction'),
      ]),
    ) as Record<Facet, readonly FacetCount[]>,
    groups: Object.fromEntries(
      [...keys].map((key) => [
        key,
        count(withoutGroup(filter, key), ({ groups }) => (Object.hasOwn(groups, key) ? [groups[key]!] : [])),
      ]),
    ),
  };
}

const VALUES: Readonly<Record<Facet, (line: RecordLine) => readonly string[]>> = {
  decision_class: ({ decision_class }) => [String(decision_class)],
  case_kind: ({ case_kind }) => [case_kind],
  urgent: ({ urgent }) => [String(urgent)],
  outcome: ({ outcome }) => [outcome],
  label: ({ label }) => [label ?? 'null'],
  prediction: ({ prediction }) => [prediction ?? 'null'],
  stratum: ({ stratum }) => [stratum ?? 'none'],
  reason: ({ reasons }) => [...new Set(reasons)],
  should_abstain: ({ should_abstain }) => [String(should_abstain)],
};

/** The most frequent value first; ties by code unit, so that both ways of counting agree. */
export function inOrder(counts: readonly FacetCount[]): readonly FacetCount[] {
  return counts.toSorted((a, b) => b.n - a.n || (a.value < b.value ? -1 : a.value > b.value ? 1 : 0));
}
