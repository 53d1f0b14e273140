/** Why a model defers, in words that fit every task and give no rule of any task away. */
export const GENERAL_REASONS = [
  'data_missing',
  'data_conflict',
  'outside_scope',
  'uncertain',
  'other',
] as const;

/** One of the general reasons to defer. */
export type GeneralReason = (typeof GENERAL_REASONS)[number];

/** What a task's own reason to defer means to a model that was not given the task's list. */
export interface DeferralReason {
  /** The general reason that it is a case of. */
  readonly general: GeneralReason;
  /** Other reasons, of the task or general ones, that are as right where this one holds. Default: none. */
  readonly equivalent?: readonly string[];
}

/** The reasons to defer that a task knows, by the code that its records hold in `metadata.should_abstain_reasons`. */
export type DeferralReasons = Readonly<Record<string, DeferralReason>>;

/** The arm that gives the rule, and with it the task's own reasons. */
const WITH_RULE = 'instructed';

/**
 * The reasons that a model may give for deferring: the general ones, which are the same for all tasks; in the arm `instructed` those of the task, where it has some.
 *
 * @example
 * ```ts
 * const deferralReasons = { missing_creatinine: { general: 'data_missing' } } as const;
 * reasonsToGive({ defaultArm: 'natural', deferralReasons }) // => ['data_missing', 'data_conflict', 'outside_scope', 'uncertain', 'other']
 * reasonsToGive({ defaultArm: 'instructed', deferralReasons }) // => ['missing_creatinine', 'other']
 * ```
 */
export function reasonsToGive(task: {
  readonly defaultArm?: string;
  readonly deferralReasons?: DeferralReasons;
}): readonly string[] {
  const own = Object.keys(task.deferralReasons ?? {});
  return task.defaultArm === WITH_RULE && own.length > 0 ? [...own, 'other'] : GENERAL_REASONS;
}

/**
 * All reasons that are right for a row, given the reasons why it must be deferred: those themselves, their equivalents, and the general reasons of both. Null where
 * none of them is known, so that nothing can be said about a reason that a model gave in general words.
 *
 * @example
 * ```ts
 * const reasons = { too_few_visits: { general: 'data_missing', equivalent: ['short_follow_up'] } } as const;
 * [...rightReasons(['too_few_visits'], reasons)!] // => ['too_few_visits', 'data_missing', 'short_follow_up']
 * rightReasons(['a reason of its own'], reasons) // => null
 * ```
 */
export function rightReasons(held: readonly string[], known: DeferralReasons): ReadonlySet<string> | null {
  const isKnown = (reason: string) =>
    Object.hasOwn(known, reason) || GENERAL_REASONS.some((general) => general === reason);
  if (!held.some(isKnown)) return null;
  const of = (reason: string): readonly string[] =>
    Object.hasOwn(known, reason) ? [reason, known[reason]!.general] : [reason];
  return new Set(
    held.flatMap((reason) => [
      ...of(reason),
      ...(Object.hasOwn(known, reason) ? (known[reason]!.equivalent ?? []).flatMap(of) : []),
    ]),
  );
}

/** What models and reviewers are asked beside the answer, in the same words: the two are compared. */
export const URGENCY_QUESTION = 'Does anything shown need action today, whatever the answer is?';
