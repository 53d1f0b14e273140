/** A smooth convex function near one point. */
export interface LocalView {
  readonly value: number;
  readonly gradient: Float64Array;
  /** The matrix of second derivatives times a vector; the matrix itself is never built. */
  readonly hessianTimes: (vector: Float64Array) => Float64Array;
}

export interface Minimum {
  readonly point: Float64Array;
  readonly gradientNorm: number;
  /** False when the gradient did not become small: the point is then only the best one found. */
  readonly converged: boolean;
}

/** The norm of the gradient below which the minimum is found. */
export const GRADIENT_TOLERANCE = 1e-8;
const MAX_STEPS = 100;

/**
 * The minimum of a convex function by Newton's method. Each step is solved by conjugate gradients, more exactly as the
 * gradient shrinks, and halved until the function falls by at least 1e-4 of what its slope predicts. Nothing in it is random.
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
): Minimum {
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
