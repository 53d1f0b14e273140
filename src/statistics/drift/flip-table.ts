import { z } from 'zod';
import { count, type Shape } from '../../core/index.ts';
import { assertSameLength } from '../same-length.ts';

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
