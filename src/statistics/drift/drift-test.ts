import { z } from 'zod';
import type { Shape } from '../../core/index.ts';
import { argumentError } from '../../core/index.ts';
import { mcnemarExact } from '../mcnemar.ts';

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
