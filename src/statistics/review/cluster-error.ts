import { z } from 'zod';
import type { Shape } from '../../core/index.ts';
import { assertLevel, criticalValue } from '../critical-value.ts';
import { studentQuantile } from '../special-functions.ts';

/** The name of a question, or of whatever goes together. */
export type Cluster = string | number;

export const estimateErrorSchema = z.object({
  se: z.number().nullable(),
  lower: z.number().nullable(),
  upper: z.number().nullable(),
});
/** An estimate's uncertainty; null where it is undefined. */
export type EstimateError = Shape<typeof estimateErrorSchema>;

export const NO_ERROR: EstimateError = { se: null, lower: null, upper: null };

/** Below this a standard error is rounding. */
const ZERO = 1e-13;

/**
 * Standard error of a statistic from its influence values, with rows that go together: sqrt(G/(G-1) * sum over clusters of (sum of influences)^2) / n. Null with fewer than two clusters; 0 where nothing varies.
 */
export function clusterError(influences: readonly number[], clusters: readonly Cluster[]): number | null {
  const sums = new Map<Cluster, number>();
  for (const [i, value] of influences.entries())
    sums.set(clusters[i]!, (sums.get(clusters[i]!) ?? 0) + value);
  if (sums.size < 2) return null;
  let squares = 0;
  for (const sum of sums.values()) squares += sum * sum;
  return withoutRounding(Math.sqrt((sums.size / (sums.size - 1)) * squares) / influences.length);
}

/** Standard error from leave-one-out replicates, around their mean. Null where one is undefined, or with fewer than two. */
export function jackknifeError(replicates: readonly (number | null)[]): number | null {
  const values = replicates.filter((value) => value !== null);
  if (values.length < 2 || values.length < replicates.length) return null;
  const centre = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  return withoutRounding(Math.sqrt(((values.length - 1) / values.length) * squares));
}

export function withoutRounding(error: number): number {
  return error < ZERO ? 0 : error;
}

/** The half-width of an interval: t with these degrees, or z without. Null where the standard error is undefined or 0: a point is not an interval. */
export function halfWidth(se: number | null, level: number, degrees: number | null): number | null {
  assertLevel(level);
  if (se === null || se === 0 || (degrees !== null && degrees < 1)) return null;
  return se * (degrees === null ? criticalValue(level) : studentQuantile((1 + level) / 2, degrees));
}

/** An interval around an estimate, clipped to the range of the quantity. */
export function intervalAround(
  estimate: number,
  se: number | null,
  {
    level,
    degrees,
    range,
  }: { level: number; degrees: number | null; range: readonly [number, number] | null },
): EstimateError {
  const half = halfWidth(se, level, degrees);
  if (half === null) return { se, lower: null, upper: null };
  const [least, most] = range ?? [-Infinity, Infinity];
  return {
    se,
    lower: Math.min(most, Math.max(least, estimate - half)),
    upper: Math.max(least, Math.min(most, estimate + half)),
  };
}

/** How many different clusters there are. */
export function clusterCount(clusters: readonly Cluster[]): number {
  return new Set(clusters).size;
}
