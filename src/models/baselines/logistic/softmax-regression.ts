import { Matrix } from 'ml-matrix';

/** The ridge penalty, against the sum of log losses: the same in every suite, tuned on none. */
const PENALTY = 1;

/**
 * Multinomial logistic regression.
 *
 * Model: p(class k | x) = exp(b_k + w_k'x) / sum_j exp(b_j + w_j'x).
 * Fit: the b and w with the least  sum_i -log p(y_i | x_i) + penalty / 2 * sum w^2.  The intercepts b are not penalised, so that
 * without features the probabilities are the class shares. The penalty keeps the weights finite where the classes are perfectly
 * separable, and unique where columns are collinear. It is 1 (scikit-learn's C = 1): weak against a few hundred rows, and never
 * tuned. What is minimised is that sum over n, until the norm of its gradient is below 1e-8; `converged` says whether it got there.
 * Source: Hastie, Tibshirani & Friedman 2009, section 4.4; le Cessie & van Houwelingen 1992 for the penalty.
 *
 * @example
 * ```ts
 * const shares = fitSoftmax([[], [], [], []], [0, 0, 0, 1], 2).probabilities([]);
 * shares.map((p) => Math.round(p * 1e6) / 1e6) // => [0.75, 0.25]
 * ```
 */
export function fitSoftmax(
  rows: readonly (readonly number[])[],
  classes: readonly number[],
  nClasses: number,
  penalty = PENALTY,
) {
  const table = withIntercept(rows);
  const columns = table.transpose();
  const look = (point: Float64Array) => penalisedLoss(point, table, columns, classes, nClasses, penalty);
  const { point, ...end } = minimise(look, new Float64Array(table.columns * nClasses));
  return {
    ...end,
    /** The probability of each class; they sum to 1. */
    probabilities: (row: readonly number[]) => [
      ...softmax(times(withIntercept([row]), point, nClasses), nClasses).probability,
    ],
  };
}

/** The rows with a column of ones before the others. */
function withIntercept(rows: readonly (readonly number[])[]): Matrix {
  return new Matrix(rows.map((row) => [1, ...row]));
}

/** A matrix times another whose values are given row after row, of which there are `nClasses` in each. */
function times(matrix: Matrix, values: Float64Array, nClasses: number): Float64Array {
  return Float64Array.from(matrix.mmul(Matrix.from1DArray(matrix.columns, nClasses, values)).to1DArray());
}

/** The mean penalised log loss. `point` holds the coefficients column after column, those of the intercept first. */
function penalisedLoss(
  point: Float64Array,
  rows: Matrix,
  columns: Matrix,
  classes: readonly number[],
  nClasses: number,
  penalty: number,
): LocalView {
  const n = rows.rows;
  const weightAt = (i: number, coefficients: Float64Array) => (i < nClasses ? 0 : coefficients[i]!);
  const scores = times(rows, point, nClasses);
  const { probability, logTotal } = softmax(scores, nClasses);
  let loss = 0;
  for (let i = 0; i < point.length; i++) loss += (penalty / 2) * weightAt(i, point) ** 2;
  const error = probability.slice();
  classes.forEach((k, row) => {
    loss += logTotal[row]! - scores[row * nClasses + k]!;
    error[row * nClasses + k]! -= 1;
  });
  const derivative = (amounts: Float64Array, coefficients: Float64Array) =>
    times(columns, amounts, nClasses).map((sum, i) => (sum + penalty * weightAt(i, coefficients)) / n);
  return {
    value: loss / n,
    gradient: derivative(error, point),
    hessianTimes: (vector) =>
      derivative(spread(times(rows, vector, nClasses), probability, nClasses), vector),
  };
}

/** How the probabilities of a row follow a change of its scores: p_k * (change_k - sum_j p_j * change_j). */
function spread(change: Float64Array, probability: Float64Array, nClasses: number): Float64Array {
  const result = new Float64Array(change.length);
  for (let row = 0; row < change.length; row += nClasses) {
    let mean = 0;
    for (let k = row; k < row + nClasses; k++) mean += probability[k]! * change[k]!;
    for (let k = row; k < row + nClasses; k++) result[k] = probability[k]! * (change[k]! - mean);
  }
  return result;
}

/** exp(s_k) / sum exp(s_j) row by row, and log sum exp(s_j); the greatest score is subtracted first so that nothing overflows. */
function softmax(scores: Float64Array, nClasses: number) {
  const probability = new Float64Array(scores.length);
  const logTotal = new Float64Array(scores.length / nClasses);
  for (let row = 0; row < logTotal.length; row++) {
    const own = scores.subarray(row * nClasses, (row + 1) * nClasses);
    const greatest = Math.max(...own);
    let total = 0;
    for (const score of own) total += Math.exp(score - greatest);
    logTotal[row] = greatest + Math.log(total);
    own.forEach((score, k) => {
      probability[row * nClasses + k] = Math.exp(score - greatest) / total;
    });
  }
  return { probability, logTotal };
}

/** A smooth convex function near one point. */
export interface LocalView {
  readonly value: number;
  readonly gradient: Float64Array;
  /** The matrix of second derivatives times a vector; the matrix itself is never built. */
  readonly hessianTimes: (vector: Float64Array) => Float64Array;
}

/** The norm of the gradient below which the minimum is found. */
export const GRADIENT_TOLERANCE = 1e-8;
const MAX_STEPS = 100;

/**
 * The minimum of a convex function by Newton's method. Each step is solved by conjugate gradients, more exactly as the
 * gradient shrinks, and halved until the function falls by at least 1e-4 of what its slope predicts. Nothing in it is random. Where
 * it has not `converged`, the gradient did not become small, and the point is only the best one found.
 * Source: Nocedal & Wright 2006, Numerical Optimization, algorithms 7.1 (line-search Newton-CG) and 3.1 (backtracking).
 *
 * @example
 * ```ts
 * const square = ([x]) => ({ value: (x - 3) ** 2, gradient: Float64Array.of(2 * (x - 3)), hessianTimes: ([v]) => Float64Array.of(2 * v) });
 * const { point, converged } = minimise(square, Float64Array.of(0));
 * [point[0], converged] // => [3, true]
 * ```
 */
export function minimise(
  look: (point: Float64Array) => LocalView,
  start: Float64Array,
  maxSteps = MAX_STEPS,
) {
  let point = start;
  let here = look(point);
  for (let step = 0; step < maxSteps && norm(here.gradient) >= GRADIENT_TOLERANCE; step++) {
    const direction = newtonDirection(here);
    const slope = dot(here.gradient, direction);
    // Near the minimum the fall is smaller than the rounding of the value itself.
    const rounding = 1e-15 * Math.max(1, Math.abs(here.value));
    let size = 1;
    let next = plus(point, size, direction);
    let there = look(next);
    while (!(there.value <= here.value + 1e-4 * size * slope + rounding) && size > 1e-12) {
      size /= 2;
      next = plus(point, size, direction);
      there = look(next);
    }
    if (!(there.value <= here.value + rounding)) break;
    point = next;
    here = there;
  }
  const gradientNorm = norm(here.gradient);
  return { point, gradientNorm, converged: gradientNorm < GRADIENT_TOLERANCE };
}

/** Solves hessian x direction = -gradient: roughly far from the minimum, precisely near it. */
function newtonDirection({ gradient, hessianTimes }: LocalView): Float64Array {
  const gradientNorm = norm(gradient);
  const close = Math.min(0.5, Math.sqrt(gradientNorm)) * gradientNorm;
  let direction = new Float64Array(gradient.length);
  let residual = gradient.map((g) => -g);
  let search = residual;
  let squared = dot(residual, residual);
  for (let i = 0; i < 2 * gradient.length && Math.sqrt(squared) > close; i++) {
    const bent = hessianTimes(search);
    const curvature = dot(search, bent);
    if (!(curvature > 0)) return i === 0 ? residual : direction;
    const size = squared / curvature;
    direction = plus(direction, size, search);
    residual = plus(residual, -size, bent);
    const before = squared;
    squared = dot(residual, residual);
    search = plus(residual, squared / before, search);
  }
  return direction;
}

function plus(a: Float64Array, times: number, b: Float64Array): Float64Array<ArrayBuffer> {
  return Float64Array.from(a, (x, i) => x + times * b[i]!);
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

function norm(a: Float64Array): number {
  return Math.sqrt(dot(a, a));
}
