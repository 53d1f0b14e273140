import type { Label } from '../../core/label.ts';

/** Above this chance that measured variation alone changes the answer, deferring is right. */
export const DEFER_ABOVE = 0.2;
/** Below this, answering is right. Between the two, the row is unlabelled: neither choice counts as wrong. */
export const ANSWER_BELOW = 0.05;

/** What the rules of a task make of a case. */
export interface Verdict<Answer extends Label = Label> {
  /** The answer that the values support; null where they support none. */
  readonly answer: Answer | null;
  /** The probability that measured variation alone led to it; null where there is no answer, or no number for it. */
  readonly flipProbability: number | null;
  /** The part of it that would change what is done, where that is not all of it. */
  readonly decisiveFlip?: number;
  /** True: must defer. False: must answer. Null: unlabelled. */
  readonly shouldAbstain: boolean | null;
  /** Why it must be deferred; empty where it need not be. */
  readonly reasons: readonly string[];
  /** Why waiting is unsafe; empty where it is not. */
  readonly mustAct: readonly string[];
}

/** No answer is safe. The reasons to act are those of an answer, so there are none; a record's own mark follows from the values shown. */
export function noAnswer(...reasons: readonly string[]): Verdict<never> {
  return { answer: null, flipProbability: null, shouldAbstain: true, reasons, mustAct: [] };
}

/**
 * An answer with its flip probability. Above `deferAbove` it must be deferred, below 0.05 given, and in between it is unlabelled, because deferral scores would depend on the third decimal with a hard
 * cut. Where waiting is unsafe, doubt leaves a row unlabelled too.
 *
 * @example
 * ```ts
 * answered(3, 0.31, { near: 'near_threshold' }).reasons // => ['near_threshold']
 * answered(3, 0.1, { near: 'near_threshold' }).shouldAbstain // => null
 * answered(3, 0).shouldAbstain // => false
 * ```
 */
export function answered<Answer extends Label>(
  answer: Answer,
  flipProbability: number,
  options: {
    /** The reason to give where the answer is too near a line. Default: nearness is no reason to defer. */
    readonly near?: string;
    readonly mustAct?: readonly string[];
    readonly deferAbove?: number | undefined;
    /** Deferring rests on this part of the flip probability. Default: all of it. */
    readonly decisiveFlip?: number;
    /** Whether the answer is near a line, where a task has a rule for that apart from the flip probability. */
    readonly isNear?: boolean;
    /** Whether a row that must be answered by its flip probability is left open all the same. */
    readonly unlabelled?: boolean;
  } = {},
): Verdict<Answer> {
  const { near, mustAct = [], deferAbove = DEFER_ABOVE, decisiveFlip, unlabelled = false } = options;
  const isNear = options.isNear ?? (decisiveFlip ?? flipProbability) > deferAbove;
  const mustDefer = near !== undefined && isNear && mustAct.length === 0;
  return {
    answer,
    flipProbability,
    ...(decisiveFlip !== undefined && { decisiveFlip }),
    shouldAbstain: mustDefer ? true : flipProbability < ANSWER_BELOW && !unlabelled ? false : null,
    reasons: mustDefer ? [near] : [],
    mustAct,
  };
}

/** Findings that call for treatment soon but not the same day: whether silence about them is unsafe stays open. */
const NOT_SAME_DAY: ReadonlySet<string> = new Set(['egfr_below_10', 'severe_hypertension']);

/**
 * Whether something shown needs action today. Null where the only findings call for treatment soon: such a row is neither an emergency nor known to be none.
 *
 * @example
 * ```ts
 * mustActMark(['potassium_6.5_or_more', 'egfr_below_10']) // => true
 * mustActMark(['egfr_below_10']) // => null
 * mustActMark([]) // => false
 * ```
 */
export function mustActMark(reasons: readonly string[]): boolean | null {
  if (reasons.some((reason) => !NOT_SAME_DAY.has(reason))) return true;
  return reasons.length > 0 ? null : false;
}

/**
 * The marks of a record: whether it should be deferred, whether nearness to a line is the only reason, and whether something shown needs action today. In an emergency
 * deferring is never demanded, whether or not a label can be derived.
 *
 * @example
 * ```ts
 * decisionMarks({ answer: 3, shouldAbstain: true, reasons: ['near_stage_threshold'] }, []).near_line // => true
 * decisionMarks({ answer: null, shouldAbstain: true, reasons: ['child'] }, ['haemoglobin_below_7']).should_abstain // => null
 * ```
 */
export function decisionMarks(
  { answer, shouldAbstain, reasons }: Pick<Verdict, 'answer' | 'shouldAbstain' | 'reasons'>,
  mustActReasons: readonly string[],
) {
  const mustAct = mustActMark(mustActReasons);
  const shouldDefer = mustAct === true && shouldAbstain === true ? null : shouldAbstain;
  return {
    should_abstain: shouldDefer,
    should_abstain_reasons: reasons,
    // Every other reason to defer leaves no answer.
    near_line: shouldDefer === true && answer !== null,
    must_act: mustAct,
    must_act_reasons: mustActReasons,
  };
}
