import { type Found, whereOf } from './query-records.ts';
import {
  FACETS,
  type Facet,
  type FacetCount,
  type FacetCounts,
  inOrder,
  withoutFacet,
  withoutGroup,
} from './record-facets.ts';
import type { RecordFilter } from './record-filter.ts';
import type { RecordIndex } from './record-index.ts';
import type { RecordLine } from './record-line.ts';

/** Counts rows by the values of the filter's lists, with the index. */
export function queryFacets(index: RecordIndex, filter: RecordFilter, found: Found = {}): FacetCounts {
  const count = (chosen: RecordFilter, column: string, from = 'lines'): Counted[] => {
    const { sql, values } = whereOf(index, chosen, found);
    return index.db
      .prepare(
        `SELECT ${column} AS value, count(*) FILTER (WHERE ${sql}) AS n, min(lines.n) AS first FROM ${from} WHERE ${column} IS NOT NULL GROUP BY 1`,
      )
      .all(...values) as unknown as Counted[];
  };
  const counted = (facet: Facet): readonly FacetCount[] => {
    const from = facet === 'reason' ? 'reasons JOIN lines ON lines.n = reasons.n' : 'lines';
    const rows = count(withoutFacet(filter, facet), facet, from);
    // The index has labels in the form in which they are compared: show the first spelling.
    const shown =
      facet === 'label' || facet === 'prediction'
        ? ({ first }: Counted) => (JSON.parse(index.lines[first]!) as RecordLine)[facet] ?? 'null'
        : ({ value }: Counted) => value;
    return inOrder(rows.map((row) => ({ value: shown(row), n: row.n })));
  };
  const { sql, values } = whereOf(index, filter, found);
  const total = index.db.prepare(`SELECT count(*) AS n FROM lines WHERE ${sql}`).get(...values)!.n;
  return {
    total: Number(total),
    counts: Object.fromEntries(FACETS.map((facet) => [facet, counted(facet)])) as FacetCounts['counts'],
    groups: Object.fromEntries(
      [...index.subgroups.keys()].map((key) => [
        key,
        inOrder(count(withoutGroup(filter, key), index.columnOf(key)!).map(({ value, n }) => ({ value, n }))),
      ]),
    ),
  };
}

interface Counted extends FacetCount {
  /** The first row with the value. */
  readonly first: number;
}
