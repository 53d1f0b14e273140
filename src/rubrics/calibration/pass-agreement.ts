import { z } from 'zod';
import { count } from '../../core/codec.ts';
import { runConsistency } from '../../statistics/kappa.ts';
import { type ItemVerdict, isVerdict } from '../verdict.ts';

/** What a judge said of one item in one pass. */
export interface PassVerdict {
  readonly questionId: string;
  readonly itemId: string;
  readonly pass: number;
  readonly verdict: ItemVerdict['verdict'];
}

/** How far the passes of a judge agree on one item. */
export interface ItemAgreement {
  readonly questionId: string;
  readonly itemId: string;
  /** Usable verdicts in the order of passes. */
  readonly verdicts: readonly string[];
  /** Share of pairs of passes that agree; null with fewer than two usable verdicts. */
  readonly agreement: number | null;
}

export const passAgreementSchema = z.object({
  /** Mean of the items' agreement. */
  agreement: z.number().nullable(),
  /** Share of items on which not all passes agree. */
  flipRate: z.number().nullable(),
  /** Agreement beyond chance; null also where only one verdict occurs, or where passes are missing. */
  fleissKappa: z.number().nullable(),
  /** Items with at least two usable verdicts; the three numbers above rest on these. */
  nCompared: count,
  /** Verdicts that are none (unverified, judge error): they are in no pair. */
  nUnusable: count,
  /** Why there are no numbers. */
  reason: z.string().nullable(),
});
/**
 * Agreement of a judge's passes over the same answers: by item and over all.
 *
 * @example
 * ```ts
 * const said = (itemId, pass, verdict) => ({ questionId: 'q1', itemId, pass, verdict });
 * const agreement = passAgreement([
 *   said('a', 0, 'present'), said('a', 1, 'present'), said('a', 2, 'absent'),
 *   said('b', 0, 'absent'), said('b', 1, 'absent'), said('b', 2, 'absent'),
 * ]);
 * agreement.flipRate // => 0.5
 * agreement.items[0].agreement // => 0.3333333333333333
 * ```
 */
export function passAgreement(verdicts: readonly PassVerdict[]) {
  const groups = Map.groupBy(verdicts, ({ questionId, itemId }) => JSON.stringify([questionId, itemId]));
  const items = [...groups.values()].map((group): ItemAgreement => {
    const { questionId, itemId } = group[0]!;
    const usable = group
      .toSorted((a, b) => a.pass - b.pass)
      .map(({ verdict }) => verdict)
      .filter(isVerdict);
    return {
      questionId,
      itemId,
      verdicts: usable,
      agreement: runConsistency([usable])?.pairwise_agreement ?? null,
    };
  });
  const compared = items.filter(({ agreement }) => agreement !== null);
  const overall = runConsistency(compared.map(({ verdicts }) => verdicts));
  return {
    items,
    agreement: overall?.pairwise_agreement ?? null,
    flipRate: overall === null ? null : 1 - overall.total_agreement_rate,
    fleissKappa: overall?.fleiss_kappa ?? null,
    nCompared: compared.length,
    nUnusable: verdicts.length - items.reduce((sum, item) => sum + item.verdicts.length, 0),
    reason: overall === null ? 'fewer_than_two_passes' : null,
  };
}
