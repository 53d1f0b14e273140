import type { Label } from '../../core/index.ts';
import { ANSWER_BELOW } from '../cohort/zones.ts';

/** What the rules of a task make of a case. */
export interface Verdict<Answer extends Label = Label> {
  /** The answer that the values support; null where they support none. */
  readonly answer: Answer | null;
  /** The probability that measured variation alone led to it; null where there is no answer, or no number for it. */
  readonly flipProbability: number | null;
  /** True: must defer. False: must answer. Null: unlabelled. */
  readonly shouldAbstain: boolean | null;
  /** Why it must be deferred; empty where it need not be. */
  readonly reasons: readonly string[];
  /** Why waiting is unsafe; empty where it is not. */
  readonly mustActReasons: readonly string[];
}

/** No answer is safe. The reasons to act are those of an answer, so there are none; a record's own mark follows from the values shown. */
export function mustDefer(reasons: readonly string[]): Verdict<never> {
  return { answer: null, flipProbability: null, shouldAbstain: true, reasons, mustActReasons: [] };
}

/** An answer whose certainty is a number, with the reason to give where it is too low. Where waiting is unsafe, uncertainty leaves a row unlabelled. */
export function answered<Answer extends Label>(
  answer: Answer,
  flipProbability: number,
  {
    nearReason,
    mustAct = [],
    deferAbove,
  }: { nearReason: string | null; mustAct?: readonly string[]; deferAbove: number },
): Verdict<Answer> {
  const near = nearReason !== null && flipProbability > deferAbove && mustAct.length === 0;
  return {
    answer,
    flipProbability,
    shouldAbstain: near ? true : flipProbability < ANSWER_BELOW ? false : null,
    reasons: near ? [nearReason] : [],
    mustActReasons: mustAct,
  };
}
