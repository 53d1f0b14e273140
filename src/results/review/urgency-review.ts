import { type LabelShare, labelShare } from '../../statistics/review/index.ts';
import { agreementOf, type RaterAgreement, ratedByTwo } from './agreement.ts';
import {
  type DecidedRow,
  isLabelDecision,
  missesEmergency,
  URGENCIES,
  type Urgency,
  urgencyCategory,
} from './decisions.ts';
import type { DrawnLabels } from './drawn-labels.ts';
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
  /** The share of rows that the model missed, on records that people call an emergency and give a label. */
  readonly missed: LabelShare;
  readonly missedReason: 'urgency_not_stated' | 'no_labelled_emergencies' | 'all_rows_failed' | null;
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
  readonly drawn: DrawnLabels | null;
  readonly level: number;
}

/** Urgency as people see it. It is compared as a yes/no item, by the same functions as decisions. */
export function urgencyReview(
  targets: readonly ReviewedTarget[],
  { byRecord, drawn, level }: Facts,
): UrgencyReview {
  const options = { categories: URGENCIES, positive: urgencyCategory(true), level };
  const clusterOf = (id: string) => byRecord.get(id)?.[0]?.cluster ?? id;
  const stated = targets.flatMap((target) =>
    target.urgency === null ? [] : [{ target, urgency: target.urgency }],
  );
  const settled = stated.filter(({ urgency }) => urgency.decision !== null);
  const emergencies = settled.filter(({ urgency }) => urgency.decision === urgencyCategory(true));
  const people = agreementOf(
    stated.flatMap(({ target, urgency }) => ratedByTwo(urgency.first, clusterOf(target.recordId))),
    options,
  );
  const known = settled.flatMap(({ target: { recordId }, urgency }) => {
    const mustAct = byRecord.get(recordId)?.[0]?.mustAct ?? null;
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
  // Without a label even people cannot say whether declining was right.
  const labelled = emergencies.flatMap(({ target }) => {
    const pi = drawn?.pi(target) ?? null;
    return pi === null || !isLabelDecision(target.decision ?? '') ? [] : [{ ...target, pi }];
  });
  const missed = labelShare(
    labelled.flatMap(({ recordId, pi }) =>
      (byRecord.get(recordId) ?? []).flatMap((row) =>
        row.model === null ? [] : [{ value: Number(missesEmergency(row)), pi, cluster: row.cluster }],
      ),
    ),
    level,
  );
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
      labelled.length === 0 ? 'no_labelled_emergencies' : 'all_rows_failed',
    ),
  };
}
