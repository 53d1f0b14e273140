import { CholeskyDecomposition, Matrix } from 'ml-matrix';
import { argumentError } from '../../../core/errors.ts';
import { createRandom, type Random, shuffle } from '../../../statistics/random.ts';
import { normalCdf, normalQuantile } from '../../../statistics/special-functions.ts';
import { apportion } from '../../../suites/split/apportion.ts';
import {
  asNumber,
  checkRow,
  type FeatureColumn,
  type FeatureName,
  type FeatureRow,
  featureColumns,
  sortedByContent,
} from '../imputation/feature-row.ts';
import { UCI_CLASSES, type UciClass, type UciColumn, type UciValue } from '../source/columns.ts';

export interface LabelledRow extends FeatureRow {
  readonly class: UciClass;
}

/** A synthetic row: drawn, not measured. */
export interface SyntheticRow {
  readonly values: Readonly<Partial<Record<FeatureName, UciValue>>>;
  /** The class whose training rows it was learned from; the class of no patient. */
  readonly class: UciClass;
  readonly origin: 'synthetic';
  /** No value was copied from a patient's row; only which cells are empty was. */
  readonly donorless: true;
}

/**
 * Draws n synthetic rows like the training rows, within each class a Gaussian copula: observed values give each column's
 * distribution, the correlation of their normal scores says how columns go together.
 *
 * For a row, correlated standard normal numbers z are drawn and column j gets its class's empirical quantile at
 * Phi(z_j). Classes come in the proportion of the training part (largest remainders), in random order. Which cells are
 * empty is copied from a random training row of either class: in the source, rows with CKD miss five times as
 * many cells, and a model could read the class from the gaps alone. Here gaps say nothing about the class.
 * The training rows' order does not matter. Synthetic rows are for reports of their own, never pooled with real ones.
 * Source: Nelsen 2006 (copulas).
 *
 * @throws KrisisError for a column that is measured in one class only, since its gaps would give the class away.
 * @example
 * ```ts
 * learnRows([{ values: { pot: 4 }, class: 'ckd' }], [{ kind: 'numeric', name: 'pot', decimals: 1 }], { n: 1, seed: 1 })[0].values // => { pot: 4 }
 * ```
 */
export function learnRows(
  trainingRows: readonly LabelledRow[],
  columns: readonly UciColumn[],
  { n, seed }: { readonly n: number; readonly seed: number },
): SyntheticRow[] {
  if (!(Number.isInteger(n) && n >= 0)) {
    throw argumentError(`the number of synthetic rows is ${n}; expected 0, 1, 2, ...`, n);
  }
  const features = featureColumns(columns);
  for (const row of trainingRows) checkRow(row, features);
  const random = createRandom(seed, 'ckdLearnedRows');
  if (n === 0) return [];
  if (trainingRows.length === 0) {
    throw argumentError(
      'there are no training rows to learn synthetic rows from; give a smaller test part or n 0',
      n,
    );
  }

  const all = sortedByContent(trainingRows, features);
  const measured = features.filter(({ name }) => all.some((row) => (row.values[name] ?? null) !== null));
  const classes = UCI_CLASSES.map((label) => ({ label, rows: all.filter((row) => row.class === label) }));
  const counts = apportion(
    classes.map(({ rows }) => rows.length),
    n,
  );
  const labels = classes.flatMap(({ label }, i) => new Array<UciClass>(counts[i]!).fill(label));
  const samplers = new Map(
    classes
      .filter(({ rows }) => rows.length > 0)
      .map(({ label, rows }) => [label, classSampler(label, rows, measured)]),
  );
  return shuffle(random, labels).map((label) => {
    const drawn = samplers.get(label)!(random);
    const pattern = all[random.integer(all.length)]!.values;
    const values = features.map(({ name }) => [name, (pattern[name] ?? null) === null ? null : drawn[name]!]);
    return { values: Object.fromEntries(values), class: label, origin: 'synthetic', donorless: true };
  });
}

/** Learns one class; the result draws full rows of it. */
function classSampler(
  label: UciClass,
  rows: readonly LabelledRow[],
  columns: readonly FeatureColumn[],
): (random: Random) => Partial<Record<FeatureName, NonNullable<UciValue>>> {
  const cells = columns.map(({ name }) => rows.map(({ values }) => values[name] ?? null));
  const quantiles = columns.map((column, j) => {
    const observed = cells[j]!.filter((value) => value !== null);
    if (observed.length > 0) return empiricalQuantile(observed, column);
    throw argumentError(
      `column "${column.name}" (${column.label}) is measured in no training row of class ${label}, but in the other class; leave it out of synthetic rows`,
      column.name,
    );
  });
  const factor = correlationFactor(
    columns.map((column, j) =>
      normalScores(cells[j]!.map((value) => (value === null ? null : asNumber(value, column)))),
    ),
  );
  return (random) => {
    const independent = columns.map(() => standardNormal(random));
    return Object.fromEntries(
      columns.map(({ name }, j) => {
        const z = factor[j]!.reduce((sum, weight, k) => sum + weight * independent[k]!, 0);
        return [name, quantiles[j]!(normalCdf(z))];
      }),
    );
  };
}

function standardNormal(random: Random): number {
  // 0 would give minus infinity; use half the smallest step instead.
  return normalQuantile(random.float() || 2 ** -54);
}

/** Two columns measured together in fewer rows than this are taken as unrelated. */
const MIN_PAIRS = 10;
/** How much of the identity is mixed in at first, and added while the matrix is not positive definite. */
const SHRINKAGE = 0.05;

/**
 * A lower triangular L with L L' = the correlation matrix of the columns, for drawing correlated normal numbers.
 *
 * Each correlation is Pearson's over the rows that have both columns; fewer than 10 such rows, or a constant column,
 * give 0. Correlations taken from different rows need not fit together, so the matrix is shrunk toward the identity,
 * (1 - s) R + s I with s = 0.05, 0.10, ..., the first that is positive definite.
 *
 * @example
 * ```ts
 * correlationFactor([[1, 2, 3], [5, 5, 5]]) // => [[1, 0], [0, 1]]
 * ```
 */
export function correlationFactor(columns: readonly (readonly (number | null)[])[]): number[][] {
  const raw = columns.map((a, i) => columns.slice(0, i).map((b) => pearson(a, b)));
  for (let s = SHRINKAGE; s < 1; s += SHRINKAGE) {
    const matrix = Matrix.eye(columns.length);
    raw.forEach((row, i) => {
      row.forEach((r, j) => {
        matrix.set(i, j, (1 - s) * r).set(j, i, (1 - s) * r);
      });
    });
    const decomposition = new CholeskyDecomposition(matrix);
    if (decomposition.isPositiveDefinite()) return decomposition.lowerTriangularMatrix.to2DArray();
  }
  return Matrix.eye(columns.length).to2DArray();
}

function pearson(a: readonly (number | null)[], b: readonly (number | null)[]): number {
  const pairs = a.flatMap((x, i) => (x === null || (b[i] ?? null) === null ? [] : [{ x, y: b[i]! }]));
  if (pairs.length < MIN_PAIRS) return 0;
  const meanX = pairs.reduce((sum, { x }) => sum + x, 0) / pairs.length;
  const meanY = pairs.reduce((sum, { y }) => sum + y, 0) / pairs.length;
  let xx = 0;
  let yy = 0;
  let xy = 0;
  for (const { x, y } of pairs) {
    xx += (x - meanX) ** 2;
    yy += (y - meanY) ** 2;
    xy += (x - meanX) * (y - meanY);
  }
  const spread = Math.sqrt(xx * yy);
  return spread > 1e-12 ? xy / spread : 0;
}

/**
 * The quantile function of a column's observed values: the sorted value at probability u.
 *
 * A quantity is interpolated between neighbours (position u * (n - 1), as R's type 7), rounded to the decimals its column
 * is reported with, and kept within the smallest and largest observed. A step or a word is the observed one at place
 * floor(u * n): nothing lies between two words.
 *
 * @example
 * ```ts
 * empiricalQuantile([1, 3, 4], { kind: 'numeric', decimals: 1 })(0.25) // => 2
 * empiricalQuantile(['no', 'yes', 'no'], { kind: 'categorical', allowed: ['yes', 'no'] })(0.2) // => 'yes'
 * ```
 */
export function empiricalQuantile(
  observed: readonly NonNullable<UciValue>[],
  column: UciColumn,
): (u: number) => NonNullable<UciValue> {
  const sorted = observed.toSorted((a, b) => asNumber(a, column) - asNumber(b, column));
  const n = sorted.length;
  if (column.kind !== 'numeric') return (u) => sorted[Math.min(n - 1, Math.floor(u * n))]!;
  const at = (place: number) => sorted[place] as number;
  return (u) => {
    const position = u * (n - 1);
    const below = Math.min(n - 1, Math.floor(position));
    const above = Math.min(n - 1, below + 1);
    const value = at(below) + (position - below) * (at(above) - at(below));
    return Math.min(at(n - 1), Math.max(at(0), Number(value.toFixed(column.decimals))));
  };
}

/**
 * The normal scores of values: the rank of each, as a quantile of the standard normal. Equal values share the mean of
 * their ranks; null stays null.
 *
 * Formula: z = Phi^-1((rank - 1/2) / n), over the n values that are there (Hazen's plotting position).
 *
 * @example
 * ```ts
 * normalScores([7, null, 7]) // => [0, null, 0]
 * normalScores([1, 100])[1] // => 0.6744897501960817
 * ```
 */
export function normalScores(values: readonly (number | null)[]): (number | null)[] {
  const sorted = values.filter((value) => value !== null).toSorted((a, b) => a - b);
  const scores = new Map<number, number>();
  for (let first = 0; first < sorted.length; ) {
    const value = sorted[first]!;
    let end = first;
    while (sorted[end] === value) end += 1;
    // Ranks first + 1 to end have the mean (first + 1 + end) / 2.
    scores.set(value, normalQuantile((first + end) / 2 / sorted.length));
    first = end;
  }
  return values.map((value) => (value === null ? null : scores.get(value)!));
}
