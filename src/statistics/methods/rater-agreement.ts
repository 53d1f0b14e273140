import { z } from 'zod';
import type { Shape } from '../../core/codec.ts';
import { argumentError } from '../../core/errors.ts';
import { type Label, labelKey } from '../../core/label.ts';
import { assertSameLength } from '../samples.ts';
import {
  type Cluster,
  clusterCount,
  clusterError,
  type EstimateError,
  intervalAround,
  jackknifeError,
  NO_ERROR,
  withoutRounding,
} from './corrected-mean.ts';

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
  const table = countPairs(ratings, weights !== null);
  if (table.n === 0) return null;
  const { size, cells, n } = table;
  const weight = (i: number, j: number): number => {
    if (weights === null || size < 2) return i === j ? 1 : 0;
    const apart = Math.abs(i - j) / (size - 1);
    return 1 - (weights === 'linear' ? apart : apart ** 2);
  };
  const { rows, columns } = sumMargins(table);
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
  const table = countPairs(ratings, false);
  const { size, cells, n } = table;
  if (n === 0 || size < 2) return null;
  const { rows, columns } = sumMargins(table);
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

function sumMargins({ size, cells, n }: Table) {
  const rows = new Array<number>(size).fill(0);
  const columns = new Array<number>(size).fill(0);
  for (const { i, j, count } of cells) {
    rows[i]! += count / n;
    columns[j]! += count / n;
  }
  return { rows, columns };
}

function countPairs(ratings: Ratings, isOrdered: boolean): Table {
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

/** Fleiss' kappa with its parts. */
export interface FleissAgreement {
  /** Null where only one category occurs. */
  readonly kappa: number | null;
  readonly observed: number;
  readonly expected: number;
  /** Kappa of each category against the rest; null for one that is never, or always, used. */
  readonly byCategory: readonly (number | null)[];
}

/**
 * Fleiss' kappa overall and by category. `counts[i][j]` is how many raters put item i in category j. Null without items, with fewer than two raters, or with unequal numbers of raters (use
 * `krippendorffAlpha`).
 *
 * @example
 * ```ts
 * fleissAgreement([[0, 3], [1, 2], [3, 0]])!.kappa!.toFixed(6) // => '0.550000'
 * fleissAgreement([[1, 1], [2, 1]]) // => null
 * ```
 */
export function fleissAgreement(counts: readonly (readonly number[])[]): FleissAgreement | null {
  const raters = counts[0]?.reduce((sum, count) => sum + count, 0) ?? 0;
  const isEven = counts.every((row) => row.reduce((sum, count) => sum + count, 0) === raters);
  if (raters < 2 || !isEven) return null;
  const size = Math.max(...counts.map((row) => row.length));
  const n = counts.length;
  const shares = Array.from(
    { length: size },
    (_, j) => counts.reduce((sum, row) => sum + (row[j] ?? 0), 0) / (n * raters),
  );
  const pairs = raters * (raters - 1);
  const observed =
    counts.reduce((sum, row) => sum + row.reduce((own, count) => own + count * (count - 1), 0) / pairs, 0) /
    n;
  const expected = shares.reduce((sum, share) => sum + share ** 2, 0);
  const byCategory = shares.map((share, j) => {
    const apart = counts.reduce((sum, row) => sum + (row[j] ?? 0) * (raters - (row[j] ?? 0)), 0);
    return share === 0 || share === 1 ? null : 1 - apart / (n * pairs * share * (1 - share));
  });
  const kappa = shares.some((share) => share === 1) ? null : (observed - expected) / (1 - expected);
  return { kappa, observed, expected, byCategory };
}

export const binaryAgreementSchema = z.object({
  observed: z.number().nullable(),
  positiveAgreement: z.number().nullable(),
  negativeAgreement: z.number().nullable(),
  prevalenceIndex: z.number().nullable(),
  biasIndex: z.number().nullable(),
  pabak: z.number().nullable(),
  kappa: z.number().nullable(),
  /** The greatest kappa that these margins allow. */
  kappaMax: z.number().nullable(),
});
/**
 * Agreement on "present" against the rest: positive and negative agreement, prevalence and bias, PABAK, kappa and the greatest kappa that the margins allow.
 *
 * @example
 * ```ts
 * binaryAgreement({ yesYes: 85, yesNo: 5, noYes: 7, noNo: 3 }).negativeAgreement!.toFixed(6) // => '0.333333'
 * ```
 */
export function binaryAgreement({
  yesYes: a,
  yesNo: b,
  noYes: c,
  noNo: d,
}: Readonly<Record<'yesYes' | 'yesNo' | 'noYes' | 'noNo', number>>): Shape<typeof binaryAgreementSchema> {
  const n = a + b + c + d;
  const share = (part: number, whole: number) => (whole === 0 ? null : part / whole);
  const observed = share(a + d, n);
  const expected = n === 0 ? 1 : ((a + b) * (a + c) + (c + d) * (b + d)) / n ** 2;
  const most = n === 0 ? 0 : (Math.min(a + b, a + c) + Math.min(c + d, b + d)) / n;
  const beyond = (agreement: number) =>
    1 - expected < 1e-12 ? null : (agreement - expected) / (1 - expected);
  return {
    observed,
    positiveAgreement: share(2 * a, 2 * a + b + c),
    negativeAgreement: share(2 * d, 2 * d + b + c),
    prevalenceIndex: share(a - d, n),
    biasIndex: share(b - c, n),
    pabak: observed === null ? null : 2 * observed - 1,
    kappa: observed === null ? null : beyond(observed),
    kappaMax: observed === null ? null : beyond(most),
  };
}

/** Krippendorff's alpha of nominal labels. */
export interface Alpha extends EstimateError {
  /** Null where no unit has two values, or only one category occurs. */
  readonly alpha: number | null;
  /** Values in units with two or more. */
  readonly nValues: number;
  /** Units with two or more values. */
  readonly nUnits: number;
}

/**
 * Krippendorff's alpha for any number of raters and missing values (null), with a delete-one-question jackknife (t). `clusters` has the question of each unit. Default: each unit is one.
 *
 * @example
 * ```ts
 * krippendorffAlpha([['a', 'a'], ['b', 'b'], ['a', 'b', null]]).alpha!.toFixed(6) // => '0.444444'
 * krippendorffAlpha([['a', null]]).alpha // => null
 * ```
 */
export function krippendorffAlpha(
  units: readonly (readonly (Label | null)[])[],
  { clusters, level = 0.95 }: { readonly clusters?: readonly Cluster[]; readonly level?: number } = {},
): Alpha {
  const rated = units
    .map((unit, i) => ({
      values: unit.filter((value) => value !== null && value !== undefined).map(labelKey),
      cluster: clusters?.[i] ?? i,
    }))
    .filter(({ values }) => values.length > 1);
  const alpha = computeAlpha(rated.map(({ values }) => values));
  const names = rated.map(({ cluster }) => cluster);
  const counts = { nValues: rated.reduce((sum, { values }) => sum + values.length, 0), nUnits: rated.length };
  if (alpha === null) return { alpha, ...counts, se: null, lower: null, upper: null };
  const replicates = [...new Set(names)].map((left) =>
    computeAlpha(rated.filter(({ cluster }) => cluster !== left).map(({ values }) => values)),
  );
  const degrees = clusterCount(names) - 1;
  const error = intervalAround(alpha, jackknifeError(replicates), { level, degrees, range: [-1, 1] });
  return { alpha, ...counts, ...error };
}

function computeAlpha(units: readonly (readonly unknown[])[]): number | null {
  const totals = new Map<unknown, number>();
  let disagreement = 0;
  let n = 0;
  for (const values of units) {
    const counts = new Map<unknown, number>();
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
    const equal = [...counts.values()].reduce((sum, count) => sum + count * (count - 1), 0);
    disagreement += (values.length * (values.length - 1) - equal) / (values.length - 1);
    n += values.length;
    for (const [value, count] of counts) totals.set(value, (totals.get(value) ?? 0) + count);
  }
  const expected = n ** 2 - [...totals.values()].reduce((sum, count) => sum + count ** 2, 0);
  return expected === 0 ? null : 1 - ((n - 1) * disagreement) / expected;
}
