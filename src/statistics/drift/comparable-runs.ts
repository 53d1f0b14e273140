import { isDeepStrictEqual } from 'node:util';

/** What two runs must have in common for a difference to be drift, in the order in which it is reported. */
export const COMPARED_FIELDS = [
  'suiteHash',
  'arm',
  'model',
  'promptHash',
  'schemaHash',
  'sampling',
  'batchSize',
  'repeats',
  'tools',
  'parserVersion',
] as const;

/** One of the settings that must be the same. */
export type ComparedField = (typeof COMPARED_FIELDS)[number];

/** Settings of a run; null or absent where unknown. */
export type ComparedSettings = { readonly [Field in ComparedField]?: unknown };

/** Whether two runs differ in time only. */
export interface Comparable {
  readonly comparable: boolean;
  readonly differs: readonly ComparedField[];
  /** Unknown on both sides, so it cannot be shown to be the same. */
  readonly unknown: readonly ComparedField[];
}

/**
 * Whether two runs are the same experiment at two times. One setting that differs, or is unknown on both sides, makes them incomparable; the names say which.
 *
 * @example
 * ```ts
 * comparableRuns({ model: 'm', promptHash: 'p1' }, { model: 'm', promptHash: 'p2' }).differs // => ['promptHash']
 * ```
 */
export function comparableRuns(first: ComparedSettings, later: ComparedSettings): Comparable {
  const unknown = COMPARED_FIELDS.filter((field) => (first[field] ?? later[field] ?? null) === null);
  const differs = COMPARED_FIELDS.filter(
    (field) => !isDeepStrictEqual(first[field] ?? null, later[field] ?? null),
  );
  return { comparable: unknown.length === 0 && differs.length === 0, differs, unknown };
}
