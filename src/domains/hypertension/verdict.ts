import { ANSWER_BELOW, DEFER_ABOVE } from '../cohort/zones.ts';

/** What a task makes of a case. */
export interface Verdict<Answer extends string = string> {
  /** Null where the values support no answer. */
  readonly answer: Answer | null;
  /** The chance that variation alone led to the answer; null where there is none. */
  readonly flipProbability: number | null;
  /** True: must defer. False: must answer. Null: unlabelled. */
  readonly shouldAbstain: boolean | null;
  /** Why deferring is right. */
  readonly reasons: readonly string[];
  /** Why silence is unsafe; empty where it is not. */
  readonly mustAct: readonly string[];
}

const NOTHING: readonly string[] = [];

/** No answer is safe. The reasons to act are those of an answer, so there are none; a record's own mark follows from the values shown. */
export function noAnswer<Answer extends string>(...reasons: string[]): Verdict<Answer> {
  return { answer: null, flipProbability: null, shouldAbstain: true, reasons, mustAct: NOTHING };
}

/** An answer that holds whatever the variation. */
export function certain<Answer extends string>(answer: Answer, mustAct: readonly string[]): Verdict<Answer> {
  return { answer, flipProbability: 0, shouldAbstain: false, reasons: NOTHING, mustAct };
}

/** An answer with its flip probability: which zone it is in. `unlabelled` takes must-answer rows out. Doubt where silence is unsafe leaves the row unlabelled. */
export function byFlip<Answer extends string>(
  answer: Answer,
  flipProbability: number,
  given: { readonly near: string; readonly mustAct: readonly string[]; readonly unlabelled: boolean },
): Verdict<Answer> {
  const { near, mustAct, unlabelled } = given;
  if (flipProbability > DEFER_ABOVE && mustAct.length === 0)
    return { answer, flipProbability, shouldAbstain: true, reasons: [near], mustAct };
  const shouldAbstain = flipProbability < ANSWER_BELOW && !unlabelled ? false : null;
  return { answer, flipProbability, shouldAbstain, reasons: NOTHING, mustAct };
}
