import { z } from 'zod';
import { count, type Shape } from '../../core/codec.ts';
import { type EmergencyRule, missesEmergency } from '../../core/decision-class.ts';
import { labelShare, labelShareSchema } from '../../statistics/methods/judge-accuracy.ts';
import type { Review } from '../../store/review/review-schema.ts';
import { measureAgreement, ratedByTwo, raterAgreementSchema } from './agreement.ts';
import { type DecidedRow, isLabelDecision, URGENCIES, urgencyCategory } from './decisions.ts';
import { drawnLabels } from './drawn-labels.ts';
import { type ReviewedTarget, targetStateSchema } from './resolve-targets.ts';

/** A record that is an emergency for people and not for the suite, or the other way round. */
const urgencyDifferenceSchema = z.object({
  recordId: z.string(),
  people: z.enum(URGENCIES),
  suite: z.enum(URGENCIES),
  /** Of `single`, `agreed`, `adjudicated`: the word of one person is a reason to look, not a finding. */
  state: targetStateSchema,
  nRaters: count,
  nAgreeing: count,
});

export const urgencyReviewSchema = z.object({
  /** Records with a label that states urgency. */
  nStated: count,
  /** Of these, records on which people settled. */
  nSettled: count,
  /** Of these, emergencies. */
  nEmergencies: count,
  /** People with each other, on the first statement of each. */
  people: raterAgreementSchema.nullable(),
  peopleReason: z.enum(['urgency_not_stated', 'no_record_with_two_raters']).nullable(),
  /** What people settled on against the suite's `must_act`. */
  suite: raterAgreementSchema.nullable(),
  suiteReason: z.enum(['urgency_not_stated', 'urgency_not_settled', 'must_act_unknown']).nullable(),
  /** Records on which people settled on something else than the suite. */
  differing: z.array(urgencyDifferenceSchema),
  /** The share of rows that the model missed, on records that people call an emergency; where it was not asked about urgency, on those that people could label. */
  missed: labelShareSchema,
  missedReason: z
    .enum(['urgency_not_stated', 'no_emergencies', 'no_labelled_emergencies', 'all_rows_failed'])
    .nullable(),
  /** The share of rows that the model called urgent, on records that people call no emergency. */
  falseAlarms: labelShareSchema,
  falseAlarmsReason: z
    .enum(['urgency_not_stated', 'no_records_without_emergency', 'urgency_not_asked', 'all_rows_failed'])
    .nullable(),
});
/** Which records are emergencies by what people say, beside the suite's `must_act` and the model. */
export type UrgencyReview = Shape<typeof urgencyReviewSchema>;

interface Facts {
  readonly byRecord: ReadonlyMap<string, readonly DecidedRow[]>;
  readonly rule: EmergencyRule;
  readonly level: number;
}

/** Urgency as people see it. It is compared as a yes/no item, by the same functions as decisions. */
export function urgencyReview(
  review: Pick<Review, 'plans' | 'draws'>,
  targets: readonly ReviewedTarget[],
  { byRecord, rule, level }: Facts,
): UrgencyReview {
  const options = { categories: URGENCIES, positive: urgencyCategory(true), level };
  const findCluster = (id: string) => byRecord.get(id)?.[0]?.cluster ?? id;
  const stated = targets.flatMap((target) =>
    target.urgency === null ? [] : [{ target, urgency: target.urgency }],
  );
  const settled = stated.filter(({ urgency }) => urgency.decision !== null);
  const drawn = drawnLabels(
    review,
    settled.map(({ target }) => target),
  );
  const emergencies = settled.filter(({ urgency }) => urgency.decision === urgencyCategory(true));
  const people = measureAgreement(
    stated.flatMap(({ target, urgency }) => ratedByTwo(urgency.first, findCluster(target.recordId))),
    options,
  );
  const known = settled.flatMap(({ target: { recordId }, urgency }) => {
    const mustAct = byRecord.get(recordId)?.[0]?.facts.mustAct ?? null;
    return mustAct === null ? [] : [{ recordId, mustAct, urgency }];
  });
  const suite = measureAgreement(
    known.map(({ recordId, mustAct, urgency }) => ({
      a: urgency.decision!,
      b: urgencyCategory(mustAct),
      question: findCluster(recordId),
    })),
    options,
  );
  const others = settled.filter(({ urgency }) => urgency.decision === urgencyCategory(false));
  // Where only silence shows that the model missed it, there must be something to say.
  const scorable =
    rule === 'silence'
      ? emergencies.filter(({ target }) => isLabelDecision(target.decision ?? ''))
      : emergencies;
  const share = (of: typeof stated, isSo: (row: DecidedRow) => boolean) =>
    labelShare(
      of.flatMap(({ target }) => {
        const pi = drawn?.pi(target) ?? null;
        return (byRecord.get(target.recordId) ?? []).flatMap((row) =>
          row.model === null || pi === null ? [] : [{ value: Number(isSo(row)), pi, cluster: row.cluster }],
        );
      }),
      level,
    );
  const missed = share(scorable, ({ facts }) =>
    missesEmergency({ ...facts, mustAct: true, labelled: true }, rule),
  );
  const falseAlarms = share(rule === 'silence' ? [] : others, ({ facts }) => facts.urgent);
  const findReason = <R extends string>(value: unknown, why: R) =>
    value !== null ? null : stated.length === 0 ? ('urgency_not_stated' as const) : why;
  return {
    nStated: stated.length,
    nSettled: settled.length,
    nEmergencies: emergencies.length,
    people,
    peopleReason: findReason(people, 'no_record_with_two_raters'),
    suite,
    suiteReason: findReason(suite, settled.length === 0 ? 'urgency_not_settled' : 'must_act_unknown'),
    differing: known.flatMap(({ recordId, mustAct, urgency }) => {
      const { decision, state, raters, nAgreeing } = urgency;
      const [people, suite] = [urgencyCategory(!mustAct), urgencyCategory(mustAct)];
      if (decision === suite) return [];
      return [{ recordId, people, suite, state, nRaters: raters.length, nAgreeing }];
    }),
    missed,
    missedReason: findReason(
      missed.value,
      emergencies.length === 0
        ? 'no_emergencies'
        : scorable.length === 0
          ? 'no_labelled_emergencies'
          : 'all_rows_failed',
    ),
    falseAlarms,
    falseAlarmsReason: findReason(
      falseAlarms.value,
      others.length === 0
        ? 'no_records_without_emergency'
        : rule === 'silence'
          ? 'urgency_not_asked'
          : 'all_rows_failed',
    ),
  };
}
