import { z } from 'zod';
import { count, type Shape } from '../../core/codec.ts';
import type { EmergencyRule } from '../../core/decision-class.ts';
import type { Label } from '../../core/label.ts';
import { labelShare, labelShareSchema } from '../../statistics/methods/judge-accuracy.ts';
import type { Review } from '../../store/review/review-schema.ts';
import { measureAgreement, ratedByTwo, raterAgreementSchema } from './agreement.ts';
import { type DecidedRow, decisionText, labelDecision } from './decisions.ts';
import { drawnLabels, drawnPlan, drawnPlanSchema } from './drawn-labels.ts';
import { countStates } from './item-review.ts';
import { labelCountsSchema, resolveTargets, type TextsOf, targetStateSchema } from './resolve-targets.ts';
import { urgencyReview, urgencyReviewSchema } from './urgency-review.ts';

const foundWrongSchema = z.object({
  recordId: z.string(),
  people: z.string(),
  suite: z.string(),
  /** Of `single`, `agreed`, `adjudicated`: the word of one person is a reason to look, not a finding. */
  state: targetStateSchema,
  nRaters: count,
  /** People who decided so, the one who ruled included. */
  nAgreeing: count,
});

export const recordReviewSchema = z.object({
  counts: labelCountsSchema,
  /** Records by what their labels come to. */
  states: z.record(z.string(), count),
  nRaters: count,
  /** The plan whose probabilities weigh the shares; null where no label was drawn. */
  plan: drawnPlanSchema.nullable(),
  /** People with each other, on their first decisions; null where no record has two. */
  people: raterAgreementSchema.nullable(),
  /** What people settled on against the suite's own label; null where no record has both. */
  suite: raterAgreementSchema.nullable(),
  /** Records on which people settled on something else than the suite. */
  foundWrong: z.array(foundWrongSchema),
  /** The share of rows on which the model decided as people did. */
  modelRight: labelShareSchema,
  /** On the same rows, the share on which the model decided as the suite's label has it. */
  modelRightBySuite: labelShareSchema,
  /** Which records are emergencies, an item of its own beside the decisions. */
  urgency: urgencyReviewSchema,
});
/** What people decided on the records of a run with labels, and what that says of the model and of the suite. */
export type RecordReview = Shape<typeof recordReviewSchema>;

interface Facts {
  readonly rows: readonly DecidedRow[];
  readonly labels: readonly Label[];
  readonly textsOf: TextsOf;
  /** What makes the model miss an emergency. */
  readonly rule: EmergencyRule;
  readonly level: number;
}

/** Right and wrong of the model and of the suite, from what people decided blind. */
export function recordReview(
  review: Pick<Review, 'events' | 'draws' | 'plans'>,
  { rows, labels, textsOf, rule, level }: Facts,
): RecordReview {
  const { counts, targets } = resolveTargets(review, 'record', textsOf);
  const byRecord = Map.groupBy(rows, ({ id }) => id);
  const settled = targets.filter(({ decision }) => decision !== null && decision !== 'cannot_tell');
  const drawn = drawnLabels(review, settled);
  const findCluster = (id: string) => byRecord.get(id)?.[0]?.cluster ?? id;
  const options = {
    categories: [...labels.map((label) => labelDecision(label)!), 'defer', 'cannot_tell'],
    positive: 'defer',
    level,
  };
  const againstSuite = settled.flatMap(({ recordId, decision, state, raters, nAgreeing }) => {
    const row = byRecord.get(recordId)?.[0];
    const suite = row?.suite ?? null;
    if (suite === null) return [];
    return [
      {
        a: decision!,
        b: suite,
        question: findCluster(recordId),
        recordId,
        state,
        nRaters: raters.length,
        nAgreeing,
      },
    ];
  });
  const decided = settled.flatMap((target) => {
    const pi = drawn?.pi(target) ?? null;
    return (byRecord.get(target.recordId) ?? []).flatMap((row) =>
      row.model === null || pi === null ? [] : [{ row, pi, human: target.decision! }],
    );
  });
  const share = (isRight: (row: DecidedRow, human: string) => boolean, own = decided) =>
    labelShare(
      own.map(({ row, pi, human }) => ({ value: Number(isRight(row, human)), pi, cluster: row.cluster })),
      level,
    );
  return {
    counts,
    states: countStates(targets),
    nRaters: new Set(targets.flatMap(({ raters }) => raters)).size,
    plan: drawn && drawnPlan(drawn),
    people: measureAgreement(
      targets.flatMap(({ first, recordId }) => ratedByTwo(first, findCluster(recordId))),
      options,
    ),
    suite: measureAgreement(againstSuite, options),
    foundWrong: againstSuite.flatMap(({ a, b, question: _, ...found }) =>
      a === b ? [] : [{ ...found, people: decisionText(a, labels), suite: decisionText(b, labels) }],
    ),
    modelRight: share((row, human) => row.model === human),
    modelRightBySuite: share(
      (row) => row.model === row.suite,
      decided.filter(({ row }) => row.suite !== null),
    ),
    urgency: urgencyReview(review, targets, { byRecord, rule, level }),
  };
}
