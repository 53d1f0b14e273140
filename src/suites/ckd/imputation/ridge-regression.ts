import { CholeskyDecomposition, Matrix } from 'ml-matrix';
import { mean as average } from '../../../statistics/index.ts';

/** Predicts an outcome from the predictors of one row. */
export type LinearModel = (predictors: readonly number[]) => number;

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
): LinearModel {
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
