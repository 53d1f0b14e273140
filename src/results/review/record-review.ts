import type { EmergencyRule, Label } from '../../core/index.ts';
import { type LabelShare, labelShare } from '../../statistics/review/index.ts';
import type { Review } from '../../store/review/index.ts';
import { agreementOf, type RaterAgreement, ratedByTwo } from './agreement.ts';
import { type DecidedRow, decisionText, labelDecision } from './decisions.ts';
import { type DrawnLabels, drawnLabels } from './drawn-labels.ts';
import { statesOf } from './item-review.ts';
import { type LabelCounts, type ReviewedTarget, resolveTargets, type TextsOf } from './resolve-targets.ts';
import { type UrgencyReview, urgencyReview } from './urgency-review.ts';

/** What people decided on the records of a run with labels, and what that says of the model and of the suite. */
export interface RecordReview {
  readonly counts: LabelCounts;
  /** Records by what their labels come to. */
  readonly states: Readonly<Record<string, number>>;
  readonly nRaters: number;
  /** The plan whose probabilities weigh the shares; null where no label was drawn. */
  readonly drawn: Pick<DrawnLabels, 'plan' | 'nDrawn' | 'nSettled'> | null;
  /** People with each other, on their first decisions; null where no record has two. */
  readonly people: RaterAgreement | null;
  /** What people settled on against the suite's own label; null where no record has both. */
  readonly suite: RaterAgreement | null;
  /** Records on which people settled on something else than the suite. */
  readonly foundWrong: readonly FoundWrong[];
  /** The share of rows on which the model decided as people did. */
  readonly modelRight: LabelShare;
  /** On the same rows, the share on which the model decided as the suite's label has it. */
  readonly modelRightBySuite: LabelShare;
  /** Which records are emergencies, an item of its own beside the decisions. */
  readonly urgency: UrgencyReview;
}

/** A record whose label people do not confirm. */
export interface FoundWrong {
  readonly recordId: string;
  readonly people: string;
  readonly suite: string;
  /** Of `single`, `agreed`, `adjudicated`: the word of one person is a reason to look, not a finding. */
  readonly state: ReviewedTarget['state'];
  readonly nRaters: number;
  /** People who decided so, the one who ruled included. */
  readonly nAgreeing: number;
}

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
  const clusterOf = (id: string) => byRecord.get(id)?.[0]?.cluster ?? id;
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
        question: clusterOf(recordId),
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
    states: statesOf(targets),
    nRaters: new Set(targets.flatMap(({ raters }) => raters)).size,
    drawn: drawn && { plan: drawn.plan, nDrawn: drawn.nDrawn, nSettled: drawn.nSettled },
    people: agreementOf(
      targets.flatMap(({ first, recordId }) => ratedByTwo(first, clusterOf(recordId))),
      options,
    ),
    suite: agreementOf(againstSuite, options),
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
