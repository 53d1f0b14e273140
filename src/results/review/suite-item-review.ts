import { z } from 'zod';
import { count, type Shape } from '../../core/index.ts';
import type { Review } from '../../store/review/index.ts';
import { labelCountsSchema, resolveTargets, type TextsOf, targetStateSchema } from './resolve-targets.ts';

export const suiteItemReviewSchema = z.object({
  counts: labelCountsSchema,
  /** Records and lines by what people settled on. */
  right: count,
  /** Called wrong or ambiguous. What two people agree on leaves scores under a new version of the suite, for all models alike; results of this version stay as they are. */
  faults: z.array(
    z.object({
      recordId: z.string(),
      itemId: z.string().nullable(),
      verdict: z.string(),
      /** `single` is the word of one person: a reason to look, not a finding. */
      state: targetStateSchema,
      /** People who say so, the one who ruled included. */
      nAgreeing: count,
    }),
  ),
});
/** What people say of the test itself: whether a record, or a rubric line, is right. It is pooled with nothing else. */
export type SuiteItemReview = Shape<typeof suiteItemReviewSchema>;

/** The faults of a suite that people found; null without such labels. */
export function suiteItemReview(
  review: Pick<Review, 'events' | 'draws'>,
  textsOf: TextsOf,
): SuiteItemReview | null {
  const { counts, targets } = resolveTargets(review, 'suite_item', textsOf);
  if (counts.n === 0) return null;
  return {
    counts,
    right: targets.filter(({ decision }) => decision === 'right').length,
    faults: targets.flatMap(({ recordId, itemId, decision, state, nAgreeing }) =>
      decision === null || decision === 'right'
        ? []
        : [{ recordId, itemId, verdict: decision, state, nAgreeing }],
    ),
  };
}
