import { CholeskyDecomposition, Matrix } from 'ml-matrix';
import { argumentError } from '../../../core/errors.ts';
import type { Random } from '../../../statistics/random.ts';
import { mean as average } from '../../../statistics/samples.ts';
import type { UciColumn, UciValue } from '../source/columns.ts';
import {
  asNumber,
  checkRow,
  type FeatureColumn,
  type FeatureName,
  type FeatureRow,
  featureColumns,
  randomOfContent,
  rowContent,
  sortedByContent,
} from './feature-row.ts';

export interface ImputerOptions {
  readonly seed: number;
  /** Passes over all columns. Default: 5. */
  readonly iterations?: number;
  /** Nearest training rows that a value is drawn from. Default: 5. */
  readonly donors?: number;
}

export interface Imputation<Row> {
  /** The rows in the order given, with every gap in the imputer's columns filled. */
  readonly rows: Row[];
  /** For each row the columns that were filled, in column order: their values were not measured. */
  readonly imputed: FeatureName[][];
}

export interface Imputer {
  apply<Row extends FeatureRow>(rows: readonly Row[]): Imputation<Row>;
}

/**
 * Learns from training rows how to fill gaps: chained equations with predictive mean matching.
 *
 * Gaps begin with random observed values. Then, `iterations` times, each column in turn, the one with the fewest gaps
 * first: a ridge regression on all other columns is fitted to the rows where it was measured, and each gap takes the
 * measured value of one of the `donors` training rows whose predictions are nearest. So every value filled in was
 * observed in the training part: quantities are possible and words stay words. `apply` runs a row through the
 * same equations with the same training donors; it learns nothing.
 *
 * Promises: no label can be given (only `values` are read, and only features are allowed in them). The outcome for a row
 * depends on the training rows (not their order), the columns, the options and the row's own values: not on its id,
 * its place or other rows. It is one draw of what might have been measured: as spread out as real values, not a best
 * guess, and nothing to base a label on.
 * Source: van Buuren & Groothuis-Oudshoorn 2011 (chained equations); Little 1988 (matching).
 *
 * @throws KrisisError without rows, for a column nowhere measured, a column or value that is not a feature, and bad options.
 * @example
 * ```ts
 * fitImputer([{ values: { pot: 4 } }], [{ kind: 'numeric', name: 'pot' }], { seed: 1 }).apply([{ values: {} }]).rows // => [{ values: { pot: 4 } }]
 * ```
 */
export function fitImputer(
  rows: readonly FeatureRow[],
  columns: readonly UciColumn[],
  { seed, iterations = 5, donors = 5 }: ImputerOptions,
): Imputer {
  const features = featureColumns(columns);
  for (const row of rows) checkRow(row, features);
  checkCount('iterations', iterations);
  checkCount('donors', donors);
  const training = sortedByContent(rows, features);
  const observed = features.map((column) => observedIn(column, training));
  const fillings = training.map(begin);

  const gaps = features.map((_, j) => fillings.filter((filling) => filling.gaps[j]).length);
  const order = [...features.keys()].sort((a, b) => gaps[a]! - gaps[b]!);
  const chain = Array.from({ length: iterations }, () => order)
    .flat()
    .map((target) => {
      const link = fitLink(target, fillings, features);
      for (const filling of fillings) advance(filling, link, features, donors);
      return link;
    });
  return { apply: (given) => collect(given, given.map(fill)) };

  function begin(row: FeatureRow): Filling {
    const random = randomOfContent(rowContent(row, features), seed, 'ckdImputation');
    return {
      values: features.map(
        ({ name }, j) => row.values[name] ?? observed[j]![random.integer(observed[j]!.length)]!,
      ),
      gaps: features.map(({ name }) => (row.values[name] ?? null) === null),
      random,
    };
  }

  function fill(row: FeatureRow): Filling {
    checkRow(row, features);
    const filling = begin(row);
    for (const link of chain) advance(filling, link, features, donors);
    return filling;
  }

  function collect<Row extends FeatureRow>(
    given: readonly Row[],
    filled: readonly Filling[],
  ): Imputation<Row> {
    return {
      rows: given.map((row, i) => {
        const values = Object.fromEntries(features.map(({ name }, j) => [name, filled[i]!.values[j]!]));
        return { ...row, values: { ...row.values, ...values } };
      }),
      imputed: filled.map((filling) => features.filter((_, j) => filling.gaps[j]).map(({ name }) => name)),
    };
  }
}

function observedIn({ name, label }: FeatureColumn, rows: readonly FeatureRow[]): Measured[] {
  const observed = rows.flatMap(({ values }) => values[name] ?? []);
  if (observed.length > 0) return observed;
  throw argumentError(
    rows.length === 0
      ? 'there are no training rows to learn imputation from; give a smaller test part or more data'
      : `column "${name}" (${label}) is missing in all ${rows.length} training rows, so that nothing can be imputed; leave the column out, or keep missing values as they are (missing: 'keep')`,
    name,
  );
}

function checkCount(name: string, value: number): void {
  if (Number.isInteger(value) && value >= 1) return;
  throw argumentError(`${name} is ${value}; expected 1, 2, 3, ...`, value);
}

export type Measured = NonNullable<UciValue>;

/** A row being filled: the current value of each column, which of them were missing, and the row's random numbers. */
export interface Filling {
  readonly values: Measured[];
  readonly gaps: readonly boolean[];
  readonly random: Random;
}

/** One equation of the chain: the place of the column it fills, its model, and the training rows to draw from. */
interface Link {
  readonly target: number;
  readonly model: (predictors: readonly number[]) => number;
  readonly draw: DrawDonor<Measured>;
}

/**
 * Learns to predict one column from all others, on the rows where it was measured; those are its donors.
 *
 * @example
 * ```ts
 * fitLink(1, [{ values: [1, 4], gaps: [false, false] }], [{ kind: 'numeric' }, { kind: 'numeric' }]).model([2]) // => 4
 * ```
 */
export function fitLink(
  target: number,
  fillings: readonly Pick<Filling, 'values' | 'gaps'>[],
  columns: readonly FeatureColumn[],
): Link {
  const measured = fillings.filter(({ gaps }) => !gaps[target]).map(({ values }) => values);
  const predictors = measured.map((values) => selectPredictors(values, target, columns));
  const model = fitRidge(
    predictors,
    measured.map((values) => asNumber(values[target]!, columns[target]!)),
  );
  const donors = measured.map((values, i) => ({ predicted: model(predictors[i]!), value: values[target]! }));
  return { target, model, draw: donorPool(donors) };
}

/**
 * Fills the row's gap in the link's column again, if it has one. Changes the row in place.
 */
export function advance(
  filling: Filling,
  { target, model, draw }: Link,
  columns: readonly FeatureColumn[],
  donors: number,
): void {
  if (!filling.gaps[target]) return;
  const predicted = model(selectPredictors(filling.values, target, columns));
  filling.values[target] = draw(predicted, donors, filling.random);
}

function selectPredictors(
  values: readonly Measured[],
  target: number,
  columns: readonly FeatureColumn[],
): number[] {
  return values.map((value, j) => asNumber(value, columns[j]!)).toSpliced(target, 1);
}

/** A training row in which the column was measured: what the model predicted for it, and what was measured. */
interface Donor<Value> {
  readonly predicted: number;
  readonly value: Value;
}

/** Draws a measured value among the `count` donors nearest to a prediction. */
type DrawDonor<Value> = (predicted: number, count: number, random: Random) => Value;

/**
 * Predictive mean matching: the value of one of the donors whose predictions are nearest to the one given, each equally
 * likely. What is drawn was really measured in someone similar. Donors as near as the last of them are drawn from too,
 * so that the order of equals decides nothing.
 * Source: Little 1988; Morris, White & Royston 2014 for drawing among several.
 *
 * @example
 * ```ts
 * donorPool([{ predicted: 1, value: 'a' }, { predicted: 5, value: 'b' }])(4, 1, { integer: () => 0 }) // => 'b'
 * ```
 */
export function donorPool<Value>(donors: readonly Donor<Value>[]): DrawDonor<Value> {
  const sorted = donors.toSorted((a, b) => a.predicted - b.predicted);
  return (predicted, count, random) => {
    const distance = (at: number) => {
      const donor = sorted[at];
      return donor === undefined ? Number.POSITIVE_INFINITY : Math.abs(donor.predicted - predicted);
    };
    // The nearest are adjacent, from `first` up to but not including `end`.
    let first = lowerBound(sorted, predicted);
    let end = first;
    let farthest = 0;
    while (end - first < Math.min(count, sorted.length)) {
      farthest = Math.min(distance(first - 1), distance(end));
      if (distance(first - 1) === farthest) first -= 1;
      else end += 1;
    }
    while (distance(first - 1) <= farthest) first -= 1;
    while (distance(end) <= farthest) end += 1;
    return sorted[first + random.integer(end - first)]!.value;
  };
}

/** The first place whose prediction is not below the one given. */
function lowerBound(sorted: readonly { readonly predicted: number }[], predicted: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]!.predicted < predicted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** One hundredth of a standardised predictor's own variance: enough where predictors say the same, as hemo and pcv do. */
const PENALTY = 0.01;

/**
 * Linear regression with a small ridge penalty on standardised predictors.
 *
 * Formula: with z the predictors standardised to mean 0 and SD 1 over the given rows, y = mean(y) + z'b, where
 * b solves (Z'Z / n + penalty * I) b = Z'(y - mean(y)) / n. The penalty, above 0, makes the solution unique also where
 * predictors are copies of each other or outnumber the rows. A constant predictor has no say. Source: Hoerl & Kennard
 * 1970; solved by Cholesky decomposition (package ml-matrix).
 *
 * @example
 * ```ts
 * Math.round(fitRidge([[0], [1], [2]], [1, 3, 5], 1e-9)([3])) // => 7
 * fitRidge([[4], [4]], [1, 3])([9]) // => 2
 * ```
 */
export function fitRidge(
  rows: readonly (readonly number[])[],
  outcomes: readonly number[],
  penalty = PENALTY,
): (predictors: readonly number[]) => number {
  const n = rows.length;
  const mean = average(outcomes)!;
  const centred = outcomes.map((y) => y - mean);
  const predictors = (rows[0] ?? []).map((_, j) => standardise(rows.map((row) => row[j]!)));
  if (predictors.length === 0) return () => mean;

  const system = new Matrix(predictors.length, predictors.length);
  predictors.forEach((a, i) => {
    predictors.slice(0, i + 1).forEach((b, j) => {
      const value = dot(a.z, b.z) / n + (i === j ? penalty : 0);
      system.set(i, j, value).set(j, i, value);
    });
  });
  const right = Matrix.columnVector(predictors.map(({ z }) => dot(z, centred) / n));
  const perSd = new CholeskyDecomposition(system).solve(right).to1DArray();
  const slopes = perSd.map((b, j) => b * predictors[j]!.perUnit);
  const means = predictors.map((predictor) => predictor.mean);
  const intercept = mean - dot(slopes, means);
  return (row) => intercept + dot(slopes, row);
}

function standardise(values: readonly number[]): { z: number[]; mean: number; perUnit: number } {
  const mean = average(values)!;
  const sd = Math.sqrt(average(values.map((x) => (x - mean) ** 2))!);
  const perUnit = sd > 1e-12 * Math.abs(mean) ? 1 / sd : 0;
  return { z: values.map((x) => (x - mean) * perUnit), mean, perUnit };
}

function dot(a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
