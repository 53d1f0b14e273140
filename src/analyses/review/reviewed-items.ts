import { isVerdict, type Verdict } from '../../rubrics/verdict.ts';
import { seenTextHash } from '../../store/review/review-file.ts';
import type { Review, ReviewTarget } from '../../store/review/review-schema.ts';
import { targetKey } from '../../store/review/review-session.ts';
import type { JudgedAnswer } from '../judging/judged-answers.ts';
import type { ItemResult } from '../judging/score-metric-trait.ts';
import { type LabelCounts, type ReviewedTarget, resolveTargets } from './resolve-targets.ts';

/** One item of one answer with what people say of it. */
export interface ReviewedItem extends ReviewedTarget {
  readonly item: ItemResult;
  /** What people settled on; null where they did not. */
  readonly human: Verdict | null;
  /** Null where the judge gave nothing usable. */
  readonly judge: Verdict | null;
}

/** The labels on the items of a run, each beside the item as it was judged. */
export function reviewedItems(
  review: Pick<Review, 'events' | 'draws'>,
  answers: readonly JudgedAnswer[],
): { readonly counts: LabelCounts; readonly items: readonly ReviewedItem[] } {
  const held = new Map<string, { readonly answer: JudgedAnswer; readonly item: ItemResult }>();
  for (const answer of answers)
    for (const { items } of answer.metricTraits)
      for (const item of items) held.set(targetKey(itemTarget(answer, item)), { answer, item });
  const { counts, targets } = resolveTargets(review, 'item', (target) => {
    const found = held.get(targetKey(target));
    if (found === undefined || found.answer.state !== 'answered') return null;
    const { answer, item } = found;
    if (answer.answer === null) return 'unknown';
    return { answerHash: seenTextHash(answer.answer), itemHash: seenTextHash(item.instruction) };
  });
  const items = targets.flatMap((target): ReviewedItem[] => {
    const found = held.get(targetKey(target));
    if (found === undefined) return [];
    const judge = found.item.class;
    return [
      {
        ...target,
        item: found.item,
        human: isVerdict(target.decision) ? target.decision : null,
        judge: isVerdict(judge) ? judge : null,
      },
    ];
  });
  return { counts, items };
}

/** The name of an item of an answer as labels use it. */
export function itemTarget(
  { id, repeat }: Pick<JudgedAnswer, 'id' | 'repeat'>,
  item: Pick<ItemResult, 'id'>,
): ReviewTarget {
  return { kind: 'item', recordId: id, repeat, itemId: item.id };
}
