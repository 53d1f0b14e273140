import { assertSameLength } from './same-length.ts';

/**
 * The acceleration of a BCa interval, a sixth of the skewness of the jackknife values: with d_i = mean - value_i,
 * a = sum d^3 / (6 (sum d^2)^1.5). `weights` says how many records share each value.
 *
 * Undefined values (null, NaN) are dropped. All equal up to rounding, or none left: 0. |a| is always below 1/6.
 * Source: Efron 1987.
 *
 * @example
 * ```ts
 * jackknifeAcceleration([0.2, 0.6, 0.61, 0.62, 0.63, 0.64, 0.65, 0.66]) // => 0.12910816652315546
 * jackknifeAcceleration([0, 1], [1, 3]) // => 0.09622504486493762
 * jackknifeAcceleration([0.1, 0.1, 0.1]) // => 0
 * ```
 */
export function jackknifeAcceleration(values: ArrayLike<number | null>, weights?: ArrayLike<number>): number {
  if (weights !== undefined) assertSameLength({ jackknife: values, jackknifeWeights: weights });
  let total = 0;
  let sum = 0;
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (!isDefined(value)) continue;
    const weight = weights?.[i] ?? 1;
    total += weight;
    sum += weight * value;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const range = high - low;
  // Values that differ by rounding alone have no skew, but the ratio below would report one.
  if (total === 0 || range <= 1e-12 * Math.max(Math.abs(low), Math.abs(high))) return 0;
  const mean = sum / total;
  let squares = 0;
  let cubes = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (!isDefined(value)) continue;
    const weight = weights?.[i] ?? 1;
    // The ratio has no unit; in units of the range nothing can underflow.
    const d = (mean - value) / range;
    squares += weight * d * d;
    cubes += weight * d * d * d;
  }
  return cubes / (6 * squares ** 1.5);
}

function isDefined(value: number | null | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
