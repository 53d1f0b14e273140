import { argumentError } from '../../core/errors.ts';
import type { Random } from '../../statistics/random.ts';
import { normalCdf, normalQuantile } from '../../statistics/special-functions.ts';

/** A number in [low, high), each equally likely. */
export function uniform(random: Random, low: number, high: number): number {
  return low + (high - low) * random.float();
}

/** True with probability p. */
export function chance(random: Random, p: number): boolean {
  return random.float() < p;
}

/**
 * A standard normal number by inversion, which takes exactly one draw and, unlike Box-Muller, no function that may
 * round differently on another machine.
 */
export function normal(random: Random): number {
  return normalQuantile(aboveZero(random.float()));
}

/** A normal number that is known to lie between two bounds. */
export function truncatedNormal(
  random: Random,
  shape: { readonly mean: number; readonly sd: number; readonly low?: number; readonly high?: number },
): number {
  const { mean, sd, low = -Infinity, high = Infinity } = shape;
  // In the upper tail the distribution function is all ones: draw from the mirror image.
  if (low > mean)
    return 2 * mean - truncatedNormal(random, { mean, sd, low: 2 * mean - high, high: 2 * mean - low });
  const below = normalCdf((low - mean) / sd);
  const above = normalCdf((high - mean) / sd);
  const z = normalQuantile(aboveZero(below + (above - below) * random.float()));
  return Math.min(high, Math.max(low, mean + sd * z));
}

/** One of the keys, each as likely as its weight. */
export function choose<Key extends string>(random: Random, weights: Readonly<Record<Key, number>>): Key {
  let total = 0;
  for (const key in weights) total += weights[key];
  let rest = random.float() * total;
  for (const key in weights) {
    rest -= weights[key];
    if (rest < 0) return key;
  }
  return (Object.keys(weights) as Key[]).findLast((key) => weights[key] > 0)!;
}

/** The generator can return 0, where the normal quantile has no finite value. */
function aboveZero(u: number): number {
  return Math.max(u, 2 ** -53);
}

/** One of the items, each as likely as the others. */
export function drawItem<T>(random: Random, items: readonly T[]): T {
  return items[random.integer(items.length)]!;
}

/**
 * The nearest multiple of `step`, a power of ten.
 *
 * The value is first rounded to nine decimals. Machines may disagree about the last bit of `Math.exp`; without this,
 * a value that sits on the edge between two steps could be reported differently on each.
 *
 * @example
 * ```ts
 * roundToStep(1.2349999999999, 0.01) // => 1.24
 * roundToStep(7849, 100) // => 7800
 * roundToStep(13.26, 0.1) // => 13.3
 * ```
 */
export function roundToStep(value: number, step: number): number {
  const settled = Math.round(value * 1e9) / 1e9;
  if (step >= 1) return Math.round(settled / step) * step;
  const perUnit = Math.round(1 / step);
  return Math.round(settled * perUnit) / perUnit;
}

/**
 * The correlation of two normals whose rank correlation is rho: 2 sin(pi rho / 6).
 *
 * @example
 * ```ts
 * normalCorrelation(0) // => 0
 * ```
 */
export function normalCorrelation(rho: number): number {
  return 2 * Math.sin((Math.PI * rho) / 6);
}

/**
 * The lower triangle L with L times its transpose equal to the matrix. Refuses one that is not positive definite.
 *
 * @example
 * ```ts
 * cholesky([[4, 2], [2, 5]]) // => [[2], [1, 2]]
 * ```
 */
export function cholesky(matrix: readonly (readonly number[])[]): number[][] {
  const factor: number[][] = [];
  for (const [i, row] of matrix.entries()) {
    const own: number[] = [];
    for (let j = 0; j <= i; j++) {
      const other = j === i ? own : factor[j]!;
      let rest = row[j]!;
      for (let k = 0; k < j; k++) rest -= own[k]! * other[k]!;
      if (j < i) own.push(rest / other[j]!);
      else if (rest > 1e-9) own.push(Math.sqrt(rest));
      else throw argumentError(`correlation matrix is not positive definite at row ${i}`, rest);
    }
    factor.push(own);
  }
  return factor;
}
