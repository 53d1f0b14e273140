import { z } from 'zod';
import type { Shape } from '../../core/codec.ts';
import { wilsonInterval } from '../../statistics/proportions.ts';
import type { Columns } from '../columns.ts';
import { nClusters } from '../resample.ts';

export const shareSchema = z.object({
  value: z.number().nullable(),
  lower: z.number().nullable(),
  upper: z.number().nullable(),
});
/** A share with Wilson's interval; all null where n is 0. */
export type Share = Shape<typeof shareSchema>;

/** How shares get their intervals. */
export interface ShareOptions {
  readonly level: number;
  /** Below 1 where records were asked several times: rows of one record are not independent draws. */
  readonly unitsPerRow: number;
}

export function share(successes: number, n: number, { level, unitsPerRow }: ShareOptions): Share {
  if (n === 0) return { value: null, lower: null, upper: null };
  const value = successes / n;
  const units = n * unitsPerRow;
  // Rounding must not exceed n.
  const [lower, upper] = wilsonInterval(Math.min(units, value * units), units, level)!;
  return { value, lower, upper };
}

/** Records per row: 1, or a half where every record was asked twice. A row without an id counts as a record. */
export function unitsPerRow({ record, n }: Columns): number {
  return n === 0 ? 1 : nClusters(record) / n;
}
