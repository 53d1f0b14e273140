import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { count, type Shape } from '../../core/codec.ts';
import { argumentError } from '../../core/errors.ts';
import { mcnemarExact } from '../mcnemar.ts';
import { assertSameLength } from '../samples.ts';

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

/** A decision on a record and whether it was right; abstain and invalid are decisions, and are not right. */
export interface DriftDecision {
  readonly decision: string | number | null;
  readonly right: boolean;
}

export const flipTableSchema = z.object({
  n: count,
  /** Right before, not right after. */
  lost: z.number(),
  /** Not right before, right after. */
  gained: z.number(),
  /** Another decision. */
  changed: z.number(),
  /** changed / n. */
  churn: z.number(),
});
/** What changed between two runs of the same records. */
export type FlipTable = Shape<typeof flipTableSchema>;

/**
 * Counts what changed between two runs of the same records, in the same order. A record that failed in one of them is null there and leaves the pairing.
 * No pair: null.
 *
 * @example
 * ```ts
 * flipTable([{ decision: 'G2', right: true }], [{ decision: 'abstain', right: false }]) // => { n: 1, lost: 1, gained: 0, changed: 1, churn: 1 }
 * ```
 */
export function flipTable(
  before: readonly (DriftDecision | null)[],
  after: readonly (DriftDecision | null)[],
): FlipTable | null {
  assertSameLength({ before, after });
  let [n, lost, gained, changed] = [0, 0, 0, 0];
  for (const [i, then] of before.entries()) {
    const now = after[i];
    if (!then || !now) continue;
    n += 1;
    if (then.right && !now.right) lost += 1;
    if (!then.right && now.right) gained += 1;
    if (then.decision !== now.decision) changed += 1;
  }
  return n === 0 ? null : { n, lost, gained, changed, churn: changed / n };
}

export const driftTestSchema = z.object({
  /** Exact McNemar p-value, two-sided. */
  p: z.number(),
  /** The error that this look may spend. */
  alpha: z.number(),
  signal: z.boolean(),
  /** Null without a signal. */
  direction: z.enum(['worse', 'better']).nullable(),
});
/** One look at a later run. */
export type DriftTest = Shape<typeof driftTestSchema>;

/**
 * The error that look k may spend: alpha / (k (k + 1)). Over all looks it adds up to alpha, so their number need not be planned. Default alpha: 0.05.
 *
 * @example
 * ```ts
 * driftAlpha(1) // => 0.025
 * driftAlpha(3).toFixed(5) // => '0.00417'
 * ```
 */
export function driftAlpha(look: number, alpha = 0.05): number {
  if (!(Number.isInteger(look) && look >= 1))
    throw argumentError(`look is ${look}; expected 1, 2, 3, ...`, look);
  if (!(alpha > 0 && alpha < 1))
    throw argumentError(`alpha is ${alpha}; expected a probability between 0 and 1`, alpha);
  return alpha / (look * (look + 1));
}

/**
 * Whether a later run differs from the reference: exact McNemar test on the records that were right in one of them only, at the error of this look.
 *
 * @example
 * ```ts
 * driftTest({ lost: 14, gained: 3, look: 1 }).direction // => 'worse'
 * driftTest({ lost: 14, gained: 3, look: 2 }).signal // => false
 * ```
 */
export function driftTest(
  { lost, gained, look }: { readonly lost: number; readonly gained: number; readonly look: number },
  alpha = 0.05,
): DriftTest {
  const p = mcnemarExact(lost, gained).pExact;
  return decided(p, driftAlpha(look, alpha), lost - gained);
}

/** The verdict of a p-value at the error of a look; `loss` above 0: the later run was right less often. */
export function decided(p: number, alpha: number, loss: number): DriftTest {
  const signal = p <= alpha;
  return { p, alpha, signal, direction: signal ? (loss > 0 ? 'worse' : 'better') : null };
}

/**
 * The fewest flips, all in one direction, that are a signal at this look.
 *
 * @example
 * ```ts
 * [1, 2, 3, 6, 12, 24].map((look) => fewestFlips(look)) // => [7, 8, 9, 11, 13, 15]
 * ```
 */
export function fewestFlips(look: number, alpha = 0.05): number {
  const spent = driftAlpha(look, alpha);
  let flips = 1;
  while (2 * 0.5 ** flips > spent) flips += 1;
  return flips;
}
