import { z } from 'zod';
import { count, type Shape } from '../../core/codec.ts';
import type { PassVerdict } from '../../rubrics/calibration/pass-agreement.ts';
import { isVerdict } from '../../rubrics/verdict.ts';
import { cohenKappa } from '../../statistics/kappa.ts';

export const judgesAgreementSchema = z.object({
  judges: z.tuple([z.string(), z.string()]),
  /** Share of items on which both say the same. */
  agreement: z.number().nullable(),
  /** Beyond chance; null also where both used one verdict only. */
  kappa: z.number().nullable(),
  /** Items with a usable verdict of both. */
  nCompared: count,
  /** Items that both were asked for and at least one gave no usable verdict on. */
  nUnusable: count,
  /** Why there is no agreement. */
  reason: z.string().nullable(),
});
/** How far two judges agree on the same answers. */
export type JudgesAgreement = Shape<typeof judgesAgreementSchema>;

/**
 * Agreement of two judges, item by item.
 *
 * @example
 * ```ts
 * const [ours, theirs] = [['present', 'absent'], ['present', 'present']].map((said) =>
 *   said.map((verdict, i) => ({ questionId: 'q', itemId: String(i), pass: 0, verdict })));
 * judgesAgreement(['a', 'b'], ours, theirs).agreement // => 0.5
 * ```
 */
export function judgesAgreement(
  judges: readonly [string, string],
  ours: readonly PassVerdict[],
  theirs: readonly PassVerdict[],
): JudgesAgreement {
  const makeKey = ({ questionId, itemId }: PassVerdict) => `${questionId} ${itemId}`;
  const others = new Map(theirs.map((said) => [makeKey(said), said.verdict]));
  const both = ours.flatMap((said) => {
    const other = others.get(makeKey(said));
    return other === undefined ? [] : [[said.verdict, other] as const];
  });
  const usable = both.filter((pair) => pair.every(isVerdict));
  const same = usable.filter(([a, b]) => a === b).length;
  return {
    judges,
    agreement: usable.length === 0 ? null : same / usable.length,
    kappa: cohenKappa(
      usable.map(([a]) => a),
      usable.map(([, b]) => b),
    ),
    nCompared: usable.length,
    nUnusable: both.length - usable.length,
    reason: usable.length === 0 ? 'no_item_judged_by_both' : null,
  };
}
