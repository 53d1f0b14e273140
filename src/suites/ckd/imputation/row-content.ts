import { createHash } from 'node:crypto';
import { argumentError } from '../../../core/index.ts';
import { createRandom, type Random, type RandomPurpose } from '../../../statistics/index.ts';
import type { FeatureColumn, FeatureRow } from './feature-row.ts';

/**
 * What a row says in the given columns, as text: equal texts are equal contents. Neither the row's id nor its place in
 * the file is part of it. (Where a file has no ids, ids are places.)
 *
 * @example
 * ```ts
 * rowContent({ values: { sc: 1.2, age: 48 } }, [{ name: 'age' }, { name: 'sc' }, { name: 'bp' }]) // => '[48,1.2,null]'
 * ```
 */
export function rowContent({ values }: FeatureRow, columns: readonly Pick<FeatureColumn, 'name'>[]): string {
  return JSON.stringify(columns.map(({ name }) => values[name] ?? null));
}

/**
 * The rows in order of content, so that what is learned from them does not depend on the order they came in: sums of
 * floating-point numbers do.
 *
 * @example
 * ```ts
 * sortedByContent([{ values: { age: 60 } }, { values: { age: 50 } }], [{ name: 'age' }])[0].values.age // => 50
 * ```
 */
export function sortedByContent<Row extends FeatureRow>(
  rows: readonly Row[],
  columns: readonly Pick<FeatureColumn, 'name'>[],
): Row[] {
  return rows
    .map((row) => ({ row, content: rowContent(row, columns) }))
    .toSorted((a, b) => (a.content < b.content ? -1 : a.content > b.content ? 1 : 0))
    .map(({ row }) => row);
}

/**
 * The random numbers of one row: decided by the seed and the row's content (through SHA-256), not by its place or by
 * other rows.
 *
 * @example
 * ```ts
 * randomOfContent('[48,1.2]', 42, 'ckdImputation').integer(1000) === randomOfContent('[48,1.2]', 42, 'ckdImputation').integer(1000) // => true
 * ```
 */
export function randomOfContent(content: string, seed: number, purpose: RandomPurpose): Random {
  if (!Number.isInteger(seed)) {
    throw argumentError(`seed is ${seed}; expected a whole number`, seed);
  }
  const digest = createHash('sha256').update(`${seed}\n${content}`).digest();
  return createRandom(digest.readUInt32LE(0), purpose);
}
