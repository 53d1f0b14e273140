import { KrisisError } from '../../core/errors.ts';
import {
  byFrequency,
  comparable,
  DEFAULT_LIMIT,
  EDGE_TOLERANCE,
  FACETS,
  type FacetCounts,
  folded,
  isLabelList,
  LIST_KEYS,
  parseGroup,
  parseSort,
  type RecordFilter,
  upperEdge,
  without,
} from './record-filter.ts';
import type { RecordIndex } from './record-index.ts';
import type { RecordLine } from './record-line.ts';

interface Condition {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/** What the index does not know; the caller looks it up. */
interface ExternalMatches {
  /** The records that `filter.flips` means. */
  readonly flipIds?: Iterable<string> | undefined;
  /** The lines with `filter.text` in one of the texts that `filter.search_in` names. */
  readonly withText?: readonly number[] | undefined;
}

/** A page of the rows that match a filter, as JSON texts, and the number of matches on all pages. */
export function queryRecords(
  index: RecordIndex,
  filter: RecordFilter,
  external: ExternalMatches = {},
): { readonly total: number; readonly rows: readonly string[] } {
  const { page, count, values } = recordsSql(index, filter, external);
  const total = Number(index.db.prepare(count).get(...values)!.total);
  const rows = index.db.prepare(page).all(...values, filter.limit ?? DEFAULT_LIMIT, filter.offset ?? 0);
  return { total, rows: rows.map(({ n }) => index.lines[Number(n)]!) };
}

/** The two queries behind a page and their parameters; the page's query takes two more: limit and offset. */
export function recordsSql(index: RecordIndex, filter: RecordFilter, external: ExternalMatches = {}) {
  const { sql, values } = buildWhere(index, filter, external);
  return {
    count: `SELECT count(*) AS total FROM lines WHERE ${sql}`,
    page: `SELECT n FROM lines WHERE ${sql} ORDER BY ${buildOrder(filter.sort)} LIMIT ? OFFSET ?`,
    values,
  };
}

/** The condition of a filter on a row of the table `lines`. */
function buildWhere(
  index: RecordIndex,
  filter: RecordFilter,
  { flipIds, withText }: ExternalMatches,
): Condition {
  const { confidence_from: from, confidence_to: to } = filter;
  const conditions = [
    ...LIST_KEYS.flatMap((list) =>
      among(list, comparable(list, filter[list])).map(({ sql, values }) => ({
        sql: list === 'reason' ? `lines.n IN (SELECT n FROM reasons WHERE ${sql})` : sql,
        values,
      })),
    ),
    ...groupConditions(index, filter.group),
    ...conditionIf(from, (min) => ({ sql: 'confidence >= ?', values: [min - EDGE_TOLERANCE] })),
    ...conditionIf(to, (edge) => ({ sql: 'confidence < ?', values: [upperEdge(edge)] })),
    ...conditionIf(filter.repeat, (repeat) => ({ sql: 'repeat = ?', values: [repeat] })),
    ...conditionIf(filter.usable, (usable) => ({ sql: 'usable = ?', values: [Number(usable)] })),
    ...conditionIf(filter.scored, (scored) => ({ sql: 'scored = ?', values: [Number(scored)] })),
    ...conditionIf(filter.text || undefined, (text) =>
      withText === undefined
        ? { sql: 'instr(search, ?) > 0', values: [folded(text)] }
        : {
            sql: '(instr(search, ?) > 0 OR lines.n IN (SELECT value FROM json_each(?)))',
            values: [folded(text), JSON.stringify(withText)],
          },
    ),
    ...conditionIf(filter.flips, () => ({
      sql: 'id IN (SELECT value FROM json_each(?))',
      values: [JSON.stringify([...(flipIds ?? [])])],
    })),
  ];
  return {
    sql: conditions.length === 0 ? 'TRUE' : conditions.map(({ sql }) => sql).join(' AND '),
    values: conditions.flatMap(({ values }) => values),
  };
}

function conditionIf<T>(value: T | undefined, condition: (value: T) => Condition): Condition[] {
  return value === undefined ? [] : [condition(value)];
}

function among(column: string, wanted: readonly string[] = []): Condition[] {
  if (wanted.length === 0) return [];
  return [{ sql: `${column} IN (${wanted.map(() => '?').join(', ')})`, values: wanted }];
}

/** Values of one key are alternatives; all keys must match. */
function groupConditions(index: RecordIndex, wanted: readonly string[] = []): Condition[] {
  const byKey = Map.groupBy(wanted.map(parseGroup), ({ key }) => key);
  return [...byKey].flatMap(([key, chosen]) => {
    const column = index.getColumn(key);
    if (column === null)
      throw new KrisisError(`group: there is no key "${key}" to group by`, {
        code: 'ERR_RECORD_FILTER_INVALID',
        value: key,
      });
    return among(
      column,
      chosen.map(({ value }) => value),
    );
  });
}

/** Rows without a value come last in both directions; ties keep the order of the file. */
function buildOrder(sort: string | undefined): string {
  const order = sort ? parseSort(sort) : null;
  if (order === null) return 'n';
  const column = order.key === 'confidence' ? 'confidence' : `by_${order.key}`;
  const surest = order.key === 'harm' ? 'confidence DESC NULLS LAST, ' : '';
  return `${column} ${order.descending ? 'DESC' : 'ASC'} NULLS LAST, ${surest}n`;
}

/** Counts rows by the values of the filter's lists, with the index. */
export function queryFacets(
  index: RecordIndex,
  filter: RecordFilter,
  external: ExternalMatches = {},
): FacetCounts {
  const count = (chosen: RecordFilter, column: string, from = 'lines') => {
    const { sql, values } = buildWhere(index, chosen, external);
    const rows = index.db
      .prepare(
        `SELECT ${column} AS value, count(*) FILTER (WHERE ${sql}) AS n, min(lines.n) AS first FROM ${from} WHERE ${column} IS NOT NULL GROUP BY 1`,
      )
      .all(...values);
    return rows.map(({ value, n, first }) => ({ value: String(value), n: Number(n), first: Number(first) }));
  };
  const countList = (list: (typeof FACETS)[number]) => {
    const from = list === 'reason' ? 'reasons JOIN lines ON lines.n = reasons.n' : 'lines';
    const counts = count(without(filter, list), list, from).map(({ value, n, first }) => {
      // The index has labels in the form in which they are compared: show the first spelling.
      const line: RecordLine | null = isLabelList(list) ? JSON.parse(index.lines[first]!) : null;
      return { value: line === null ? value : String(line[list as 'label'] ?? 'null'), n };
    });
    return byFrequency(counts);
  };
  const { sql, values } = buildWhere(index, filter, external);
  const total = index.db.prepare(`SELECT count(*) AS n FROM lines WHERE ${sql}`).get(...values)!.n;
  return {
    total: Number(total),
    counts: Object.fromEntries(FACETS.map((list) => [list, countList(list)])) as FacetCounts['counts'],
    groups: Object.fromEntries(
      [...index.subgroups.keys()].map((group) => [
        group,
        byFrequency(
          count(without(filter, { group }), index.getColumn(group)!).map(({ value, n }) => ({ value, n })),
        ),
      ]),
    ),
  };
}
