import { z } from 'zod';
import type { Shape } from '../core/codec.ts';
import { argumentError } from '../core/errors.ts';
import { assertSameLength } from './samples.ts';
import { binomialCdf } from './special-functions.ts';

const discordantPairsSchema = z.object({ b: z.number(), c: z.number() });
/** Records on which exactly one of two models was right: b only A, c only B. */
export type DiscordantPairs = Shape<typeof discordantPairsSchema>;

export const mcnemarResultSchema = discordantPairsSchema.extend({ pExact: z.number(), pMid: z.number() });

/**
 * Exact McNemar test of two models on the same records, two-sided. With m = min(b, c) and X ~ Binomial(b + c, 1/2):
 * pExact = min(1, 2 P(X <= m)), pMid = 2 (P(X < m) + P(X = m) / 2) = P(X <= m) + P(X <= m - 1).
 *
 * b + c = 0: both are 1. b = c: both are 1. (Fagerland 2013 prints 1 - P(X = b)/2 for the mid-p there; doubling
 * the one-sided value, as everywhere else, gives 1.) Swapping the models changes nothing.
 * Source: McNemar 1947; mid-p: Fagerland, Lydersen & Laake 2013.
 *
 * @example
 * ```ts
 * mcnemarExact(1, 9) // => { b: 1, c: 9, pExact: 0.021484375, pMid: 0.01171875 }
 * mcnemarExact(0, 5) // => { b: 0, c: 5, pExact: 0.0625, pMid: 0.03125 }
 * mcnemarExact(0, 0) // => { b: 0, c: 0, pExact: 1, pMid: 1 }
 * ```
 */
export function mcnemarExact(b: number, c: number): Shape<typeof mcnemarResultSchema> {
  for (const count of [b, c]) {
    if (!(Number.isInteger(count) && count >= 0)) {
      throw argumentError(`discordant pairs are ${count}; expected a count`, count);
    }
  }
  if (b === c) return { b, c, pExact: 1, pMid: 1 };
  const m = Math.min(b, c);
  const upToM = binomialCdf(m, b + c, 0.5);
  return { b, c, pExact: Math.min(1, 2 * upToM), pMid: Math.min(1, upToM + binomialCdf(m - 1, b + c, 0.5)) };
}

/**
 * Counts the records on which exactly one model was right. Rows are true/false or 1/0, one per record, in the same order.
 *
 * @example
 * ```ts
 * discordantPairs([1, 1, 0, 1], [1, 0, 1, 0]) // => { b: 2, c: 1 }
 * discordantPairs([], []) // => { b: 0, c: 0 }
 * ```
 */
export function discordantPairs(
  correctA: ArrayLike<number | boolean>,
  correctB: ArrayLike<number | boolean>,
): DiscordantPairs {
  assertSameLength({ correctA, correctB });
  let b = 0;
  let c = 0;
  for (let i = 0; i < correctA.length; i++) {
    if (correctA[i] && !correctB[i]) b += 1;
    if (!correctA[i] && correctB[i]) c += 1;
  }
  return { b, c };
}
