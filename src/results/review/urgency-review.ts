import { type EmergencyRule, missesEmergency } from '../../core/index.ts';
import { type LabelShare, labelShare } from '../../statistics/review/index.ts';
import type { Review } from '../../store/review/index.ts';
import { agreementOf, type RaterAgreement, ratedByTwo } from './agreement.ts';
import { type DecidedRow, isLabelDecision, URGENCIES, type Urgency, urgencyCategory } from './decisions.ts';
import { drawnLabels } from './drawn-labels.ts';
import type { ReviewedTarget } from './resolve-targets.ts';

/** Which records are emergencies by what people say, beside the suite's `must_act` and the model. */
export interface UrgencyReview {
  /** Records with a label that states urgency. */
  readonly nStated: number;
  /** Of these, records on which people settled. */
  readonly nSettled: number;
  /** Of these, emergencies. */
  readonly nEmergencies: number;
  /** People with each other, on the first statement of each. */
  readonly people: RaterAgreement | null;
  readonly peopleReason: 'urgency_not_stated' | 'no_record_with_two_raters' | null;
  /** What people settled on against the suite's `must_act`. */
  readonly suite: RaterAgreement | null;
  readonly suiteReason: 'urgency_not_stated' | 'urgency_not_settled' | 'must_act_unknown' | null;
  /** Records on which people settled on something else than the suite. */
  readonly differing: readonly UrgencyDifference[];
  /** The share of rows that the model missed, on records that people call an emergency; where it was not asked about urgency, on those that people could label. */
  readonly missed: LabelShare;
  readonly missedReason:
    | 'urgency_not_stated'
    | 'no_emergencies'
    | 'no_labelled_emergencies'
    | 'all_rows_failed'
    | null;
  /** The share of rows that the model called urgent, on records that people call no emergency. */
  readonly falseAlarms: LabelShare;
  readonly falseAlarmsReason:
    | 'urgency_not_stated'
    | 'no_records_without_emergency'
    | 'urgency_not_asked'
    | 'all_rows_failed'
    | null;
}

/** A record that is an emergency for people and not for the suite, or the other way round. */
interface UrgencyDifference {
  readonly recordId: string;
  readonly people: Urgency;
  readonly suite: Urgency;
  /** Of `single`, `agreed`, `adjudicated`: the word of one person is a reason to look, not a finding. */
  readonly state: ReviewedTarget['state'];
  readonly nRaters: number;
  readonly nAgreeing: number;
}

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
  const clusterOf = (id: string) => byRecord.get(id)?.[0]?.cluster ?? id;
  const stated = targets.flatMap((target) =>
    target.urgency === null ? [] : [{ target, urgency: target.urgency }],
  );
  const settled = stated.filter(({ urgency }) => urgency.decision !== null);
  const drawn = drawnLabels(
    review,
    settled.map(({ target }) => target),
  );
  const emergencies = settled.filter(({ urgency }) => urgency.decision === urgencyCategory(true));
  const people = agreementOf(
    stated.flatMap(({ target, urgency }) => ratedByTwo(urgency.first, clusterOf(target.recordId))),
    options,
  );
  const known = settled.flatMap(({ target: { recordId }, urgency }) => {
    const mustAct = byRecord.get(recordId)?.[0]?.facts.mustAct ?? null;
    return mustAct === null ? [] : [{ recordId, mustAct, urgency }];
  });
  const suite = agreementOf(
    known.map(({ recordId, mustAct, urgency }) => ({
      a: urgency.decision!,
      b: urgencyCategory(mustAct),
      question: clusterOf(recordId),
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
  const reasonOf = <R extends string>(value: unknown, why: R) =>
    value !== null ? null : stated.length === 0 ? ('urgency_not_stated' as const) : why;
  return {
    nStated: stated.length,
    nSettled: settled.length,
    nEmergencies: emergencies.length,
    people,
    peopleReason: reasonOf(people, 'no_record_with_two_raters'),
    suite,
    suiteReason: reasonOf(suite, settled.length === 0 ? 'urgency_not_settled' : 'must_act_unknown'),
    differing: known.flatMap(({ recordId, mustAct, urgency }) => {
      const { decision, state, raters, nAgreeing } = urgency;
      const [people, suite] = [urgencyCategory(!mustAct), urgencyCategory(mustAct)];
      if (decision === suite) return [];
      return [{ recordId, people, suite, state, nRaters: raters.length, nAgreeing }];
    }),
    missed,
    missedReason: reasonOf(
      missed.value,
      emergencies.length === 0
        ? 'no_emergencies'
        : scorable.length === 0
          ? 'no_labelled_emergencies'
          : 'all_rows_failed',
    ),
    falseAlarms,
    falseAlarmsReason: reasonOf(
      falseAlarms.value,
      others.length === 0
        ? 'no_records_without_emergency'
        : rule === 'silence'
          ? 'urgency_not_asked'
          : 'all_rows_failed',
    ),
  };
}
