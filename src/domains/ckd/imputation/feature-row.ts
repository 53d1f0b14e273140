import { createHash } from 'node:crypto';
import { argumentError, type KrisisError } from '../../../core/errors.ts';
import { createRandom, type Random, type RandomPurpose } from '../../../statistics/random.ts';
import {
  allowedText,
  UCI_EXTRAS,
  UCI_FEATURES,
  type UciColumn,
  type UciExtra,
  type UciFeature,
  type UciValue,
} from '../source/columns.ts';

/** The name of a column that may be learned from: a feature, never the class. */
export type FeatureName = UciFeature | UciExtra;

/** A column that may be learned from. */
export type FeatureColumn = UciColumn<FeatureName>;

/** All that is read of a row. It may have more, as its id and its class, which nothing here looks at. */
export interface FeatureRow {
  readonly values: Readonly<Partial<Record<FeatureName, UciValue>>>;
}

const FEATURE_NAMES: ReadonlySet<string> = new Set([...UCI_FEATURES, ...UCI_EXTRAS].map(({ name }) => name));

/**
 * The columns, once it is sure that each is a feature of the source (so that a label cannot come in as one) and that
 * none is given twice.
 *
 * @throws KrisisError
 * @example
 * ```ts
 * featureColumns([{ kind: 'numeric', name: 'age' }]).length // => 1
 * ```
 */
export function featureColumns(columns: readonly UciColumn[]): readonly FeatureColumn[] {
  columns.forEach(({ name }, i) => {
    if (!FEATURE_NAMES.has(name)) throw notAFeature(name);
    if (columns.findIndex((other) => other.name === name) !== i) {
      throw argumentError(`column "${name}" is given twice; give each column once`, name);
    }
  });
  return columns as readonly FeatureColumn[];
}

/**
 * Refuses a row that holds anything but features, and a value that its column cannot have. A value that is absent is
 * missing, like null.
 *
 * @throws KrisisError
 * @example
 * ```ts
 * checkRow({ values: { age: 48, sc: null } }, [{ kind: 'numeric', name: 'age' }]) // => undefined
 * ```
 */
export function checkRow({ values }: FeatureRow, columns: readonly FeatureColumn[]): void {
  for (const name of Object.keys(values)) {
    if (!FEATURE_NAMES.has(name)) throw notAFeature(name);
  }
  for (const column of columns) {
    const value = values[column.name] ?? null;
    if (value === null || Number.isFinite(asNumber(value, column))) continue;
    throw argumentError(
      `column "${column.name}" holds ${JSON.stringify(value)}; expected ${allowedText(column)}, or null`,
      value,
    );
  }
}

/**
 * A value as a number to compute with: a quantity as it is; a step or a word by its place on the column's list, which
 * makes 0 and 1 of two words. NaN for what the column cannot hold.
 *
 * @example
 * ```ts
 * asNumber(1.2, { kind: 'numeric' }) // => 1.2
 * asNumber(1.015, { kind: 'ordinal', allowed: [1.005, 1.01, 1.015] }) // => 2
 * asNumber('no', { kind: 'categorical', allowed: ['yes', 'no'] }) // => 1
 * asNumber('perhaps', { kind: 'categorical', allowed: ['yes', 'no'] }) // => NaN
 * ```
 */
export function asNumber(value: NonNullable<UciValue>, column: UciColumn): number {
  if (column.kind === 'numeric') return typeof value === 'number' ? value : Number.NaN;
  const place = (column.allowed as readonly UciValue[]).indexOf(value);
  return place === -1 ? Number.NaN : place;
}

function notAFeature(name: string): KrisisError {
  return argumentError(
    `"${name}" is not a feature of the kidney data; labels and other columns are never learned from: leave it out`,
    name,
  );
}

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
