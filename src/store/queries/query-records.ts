import { KrisisError } from '../../core/index.ts';
import {
  DEFAULT_LIMIT,
  EDGE_TOLERANCE,
  folded,
  groupOf,
  labelTextKey,
  type RecordFilter,
  sortOf,
  upperEdge,
} from './record-filter.ts';
import type { RecordIndex } from './record-index.ts';

type Value = string | number;

interface Condition {
  readonly sql: string;
  readonly values: readonly Value[];
}

/** What the index does not know; the caller looks it up. */
export interface Found {
  /** The records that `filter.flips` means. */
  readonly flipIds?: Iterable<string> | undefined;
  /** The lines with `filter.text` in one of the texts that `filter.search_in` names. */
  readonly withText?: readonly number[] | undefined;
}

/** A page of the rows that match a filter, as JSON texts, and the number of matches on all pages. */
export function queryRecords(
  index: RecordIndex,
  filter: RecordFilter,
  found: Found = {},
): { readonly total: number; readonly rows: readonly string[] } {
  const { page, count, values } = recordsSql(index, filter, found);
  const total = Number(index.db.prepare(count).get(...values)!.total);
  const rows = index.db.prepare(page).all(...values, filter.limit ?? DEFAULT_LIMIT, filter.offset ?? 0);
  return { total, rows: rows.map(({ n }) => index.lines[Number(n)]!) };
}

/** The two queries behind a page and their parameters; the page's query takes two more: limit and offset. */
export function recordsSql(index: RecordIndex, filter: RecordFilter, found: Found = {}) {
  const { sql, values } = whereOf(index, filter, found);
  return {
    count: `SELECT count(*) AS total FROM lines WHERE ${sql}`,
    page: `SELECT n FROM lines WHERE ${sql} ORDER BY ${orderOf(filter.sort)} LIMIT ? OFFSET ?`,
    values,
  };
}

/** The condition of a filter on a row of the table `lines`. */
export function whereOf(index: RecordIndex, filter: RecordFilter, found: Found): Condition {
  const conditions = conditionsOf(index, filter, found);
  return {
    sql: conditions.length === 0 ? 'TRUE' : conditions.map(({ sql }) => sql).join(' AND '),
    values: conditions.flatMap(({ values }) => values),
  };
}

function conditionsOf(index: RecordIndex, filter: RecordFilter, { flipIds, withText }: Found): Condition[] {
  const { confidence_from: from, confidence_to: to } = filter;
  return [
    ...among('outcome', filter.outcome),
    ...among('decision_class', filter.decision_class),
    ...among('case_kind', filter.case_kind),
    ...among('must_act', filter.must_act),
    ...among('urgent', filter.urgent),
    ...among('label', filter.label?.map(labelTextKey)),
    ...among('prediction', filter.prediction?.map(labelTextKey)),
    ...among('stratum', filter.stratum),
    ...among('should_abstain', filter.should_abstain),
    ...groupConditions(index, filter.group),
    ...given(from, (least) => ({ sql: 'confidence >= ?', values: [least - EDGE_TOLERANCE] })),
    ...given(to, (edge) => ({ sql: 'confidence < ?', values: [upperEdge(edge)] })),
    ...given(filter.repeat, (repeat) => ({ sql: 'repeat = ?', values: [repeat] })),
    ...given(filter.usable, (usable) => ({ sql: 'usable = ?', values: [Number(usable)] })),
    ...given(filter.scored, (scored) => ({ sql: 'scored = ?', values: [Number(scored)] })),
    ...reasonConditions(filter.reason),
    ...given(filter.text || undefined, (text) =>
      withText === undefined
        ? { sql: 'instr(search, ?) > 0', values: [folded(text)] }
        : {
            sql: '(instr(search, ?) > 0 OR lines.n IN (SELECT value FROM json_each(?)))',
            values: [folded(text), JSON.stringify(withText)],
          },
    ),
    ...given(filter.flips, () => ({
      sql: 'id IN (SELECT value FROM json_each(?))',
      values: [JSON.stringify([...(flipIds ?? [])])],
    })),
  ];
}

function given<T>(value: T | undefined, condition: (value: T) => Condition): Condition[] {
  return value === undefined ? [] : [condition(value)];
}

function among(column: string, wanted: readonly string[] = []): Condition[] {
  if (wanted.length === 0) return [];
  return [{ sql: `${column} IN (${wanted.map(() => '?').join(', ')})`, values: wanted }];
}

function reasonConditions(wanted: readonly string[] = []): Condition[] {
  return among('reason', wanted).map(({ sql, values }) => ({
    sql: `lines.n IN (SELECT n FROM reasons WHERE ${sql})`,
    values,
  }));
}

/** Values of one key are alternatives; all keys must match. */
function groupConditions(index: RecordIndex, wanted: readonly string[] = []): Condition[] {
  const byKey = Map.groupBy(wanted.map(groupOf), ({ key }) => key);
  return [...byKey].flatMap(([key, chosen]) => {
    const column = index.columnOf(key);
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
function orderOf(sort: string | undefined): string {
  const order = sort ? sortOf(sort) : null;
  if (order === null) return 'n';
  const column = order.key === 'confidence' ? 'confidence' : `by_${order.key}`;
  const surest = order.key === 'harm' ? 'confidence DESC NULLS LAST, ' : '';
  return `${column} ${order.descending ? 'DESC' : 'ASC'} NULLS LAST, ${surest}n`;
}
