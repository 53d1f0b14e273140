import { argumentError, type Label, labelKey } from '../../core/index.ts';
import { assertSameLength } from '../same-length.ts';
import {
  type Cluster,
  clusterCount,
  clusterError,
  type EstimateError,
  intervalAround,
  NO_ERROR,
  withoutRounding,
} from './cluster-error.ts';

/** Two raters' labels, one of each per item; null drops the pair. */
export interface RatedPairs {
  readonly a: readonly (Label | null)[];
  readonly b: readonly (Label | null)[];
  /** The question of each item. Default: items are independent. */
  readonly clusters?: readonly Cluster[];
  /** The declared categories; in their order where weights are used. Default: those that occur. */
  readonly categories?: readonly Label[];
  /** The probability, in (0, 1], with which each item was drawn; for kappa, and with `clusters` only. Default: all alike. */
  readonly probabilities?: readonly number[];
}

/** Labels of two raters, or a square table of counts (rows: one rater, columns: the other). */
export type Ratings = RatedPairs | { readonly confusion: readonly (readonly number[])[] };

/** A coefficient of agreement. */
export interface Agreement extends EstimateError {
  /** Null where it is undefined. */
  readonly value: number | null;
  readonly observed: number;
  readonly expected: number;
  readonly n: number;
}

interface Cell {
  readonly i: number;
  readonly j: number;
  /** Items, or what one item weighs. */
  readonly count: number;
  readonly cluster: Cluster | null;
}

interface Table {
  readonly size: number;
  readonly cells: readonly Cell[];
  /** The sum of the counts. */
  readonly n: number;
  readonly nItems: number;
}

/**
 * Cohen's kappa with its interval. With `clusters` the interval takes items of one question together (t on questions - 1); without, rows are independent (Fleiss, Cohen and Everitt 1969, z). Null
 * without pairs; one category on both sides has no value.
 *
 * @example
 * ```ts
 * kappaAgreement({ confusion: [[20, 5], [10, 15]] })!.value!.toFixed(9) // => '0.400000000'
 * kappaAgreement({ a: ['x', 'x'], b: ['x', 'x'] })!.value // => null
 * kappaAgreement({ a: [], b: [] }) // => null
 * ```
 */
export function kappaAgreement(
  ratings: Ratings,
  {
    level = 0.95,
    weights = null,
  }: { readonly level?: number; readonly weights?: 'linear' | 'quadratic' | null } = {},
): Agreement | null {
  const table = tableOf(ratings, weights !== null);
  if (table.n === 0) return null;
  const { size, cells, n } = table;
  const weight = (i: number, j: number): number => {
    if (weights === null || size < 2) return i === j ? 1 : 0;
    const apart = Math.abs(i - j) / (size - 1);
    return 1 - (weights === 'linear' ? apart : apart ** 2);
  };
  const { rows, columns } = marginsOf(table);
  const r = rows.map((_, i) => columns.reduce((sum, q, j) => sum + q * weight(i, j), 0));
  const s = columns.map((_, j) => rows.reduce((sum, p, i) => sum + p * weight(i, j), 0));
  const observed = cells.reduce((sum, { i, j, count }) => sum + count * weight(i, j), 0) / n;
  const expected = rows.reduce((sum, p, i) => sum + p * r[i]!, 0);
  return coefficient(table, level, observed, expected, ({ i, j }) => ({
    observed: weight(i, j) - observed,
    expected: r[i]! + s[j]! - 2 * expected,
  }));
}

/**
 * Gwet's AC1 with its interval: chance agreement from the mean margins over the declared categories. Without `clusters` every row is one (t on rows - 1). Null without pairs, or with fewer than two categories.
 *
 * @example
 * ```ts
 * gwetAc1({ confusion: [[118, 5], [2, 0]] })!.value!.toFixed(6) // => '0.940776'
 * ```
 */
export function gwetAc1(
  ratings: Ratings,
  { level = 0.95 }: { readonly level?: number } = {},
): Agreement | null {
  const table = tableOf(ratings, false);
  const { size, cells, n } = table;
  if (n === 0 || size < 2) return null;
  const { rows, columns } = marginsOf(table);
  const m = rows.map((p, k) => (p + columns[k]!) / 2);
  const squares = m.reduce((sum, share) => sum + share ** 2, 0);
  const observed = cells.reduce((sum, { i, j, count }) => sum + (i === j ? count : 0), 0) / n;
  const expected = m.reduce((sum, share) => sum + share * (1 - share), 0) / (size - 1);
  return coefficient(
    table,
    level,
    observed,
    expected,
    ({ i, j }) => ({
      observed: (i === j ? 1 : 0) - observed,
      expected: (-2 / (size - 1)) * ((m[i]! + m[j]!) / 2 - squares),
    }),
    true,
  );
}

function coefficient(
  { cells, n, nItems }: Table,
  level: number,
  observed: number,
  expected: number,
  influence: (cell: Cell) => { readonly observed: number; readonly expected: number },
  rowsAreClusters = false,
): Agreement {
  const room = 1 - expected;
  if (room < 1e-12) return { value: null, observed, expected, n: nItems, ...NO_ERROR };
  const value = (observed - expected) / room;
  const u = (cell: Cell) => {
    const own = influence(cell);
    return own.observed / room - ((1 - observed) / room ** 2) * own.expected;
  };
  const clustered = cells[0]!.cluster !== null;
  const clusters = cells.map(({ cluster }) => cluster!);
  const small = rowsAreClusters ? Math.sqrt(n / (n - 1)) : 1;
  const squares = () => cells.reduce((sum, cell) => sum + cell.count * u(cell) ** 2, 0);
  const isSingle = rowsAreClusters && n < 2;
  const se = clustered
    ? clusterError(
        cells.map((cell) => cell.count * (cells.length / n) * u(cell)),
        clusters,
      )
    : isSingle
      ? null
      : withoutRounding((small * Math.sqrt(squares())) / n);
  const degrees = clustered ? clusterCount(clusters) - 1 : rowsAreClusters ? n - 1 : null;
  return {
    value,
    observed,
    expected,
    n: nItems,
    ...intervalAround(value, se, { level, degrees, range: [-1, 1] }),
  };
}

function marginsOf({ size, cells, n }: Table) {
  const rows = new Array<number>(size).fill(0);
  const columns = new Array<number>(size).fill(0);
  for (const { i, j, count } of cells) {
    rows[i]! += count / n;
    columns[j]! += count / n;
  }
  return { rows, columns };
}

function tableOf(ratings: Ratings, isOrdered: boolean): Table {
  if ('confusion' in ratings) {
    const { confusion } = ratings;
    const size = confusion.length;
    if (confusion.some((row) => row.length !== size || row.some((count) => !(count >= 0))))
      throw argumentError('agreement needs a square table of counts', confusion);
    const cells = confusion.flatMap((row, i) =>
      row.flatMap((count, j) => (count === 0 ? [] : [{ i, j, count, cluster: null }])),
    );
    const n = cells.reduce((sum, { count }) => sum + count, 0);
    return { size, cells, n, nItems: n };
  }
  const { a, b, clusters, categories, probabilities } = ratings;
  assertSameLength({ a, b });
  if (clusters !== undefined) assertSameLength({ a, clusters });
  if (probabilities !== undefined) {
    assertSameLength({ a, probabilities });
    if (clusters === undefined || probabilities.some((pi) => !(pi > 0 && pi <= 1)))
      throw argumentError('kappa needs clusters and probabilities in (0, 1]', probabilities);
  }
  const pairs = a.flatMap((label, i) => {
    const other = b[i] ?? null;
    return label === null || label === undefined || other === null
      ? []
      : [{ label, other, cluster: clusters?.[i] ?? null, count: 1 / (probabilities?.[i] ?? 1) }];
  });
  const seen = [...(categories ?? []), ...pairs.flatMap(({ label, other }) => [label, other])];
  const keys = [...new Set(seen.map(labelKey))];
  if (isOrdered && categories === undefined) keys.sort((x, y) => (x < y ? -1 : 1));
  const position = new Map(keys.map((key, i) => [key, i]));
  const cells = pairs.map(({ label, other, cluster, count }) => ({
    i: position.get(labelKey(label))!,
    j: position.get(labelKey(other))!,
    count,
    cluster,
  }));
  const n = cells.reduce((sum, { count }) => sum + count, 0);
  return { size: keys.length, cells, n, nItems: cells.length };
}
