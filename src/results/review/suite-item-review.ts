import type { Review } from '../../store/review/index.ts';
import { type LabelCounts, type ReviewedTarget, resolveTargets, type TextsOf } from './resolve-targets.ts';

/** What people say of the test itself: whether a record, or a rubric line, is right. It is pooled with nothing else. */
export interface SuiteItemReview {
  readonly counts: LabelCounts;
  /** Records and lines by what people settled on. */
  readonly right: number;
  /** Called wrong or ambiguous. What two people agree on leaves scores under a new version of the suite, for all models alike; results of this version stay as they are. */
  readonly faults: readonly {
    readonly recordId: string;
    readonly itemId: string | null;
    readonly verdict: string;
    /** `single` is the word of one person: a reason to look, not a finding. */
    readonly state: ReviewedTarget['state'];
    /** People who say so, the one who ruled included. */
    readonly nAgreeing: number;
  }[];
}

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
