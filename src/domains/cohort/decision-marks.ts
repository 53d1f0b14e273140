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

/** What the rules of a task make of a case, as far as deciding goes. */
interface Assessed {
  readonly answer: unknown;
  readonly shouldAbstain: boolean | null;
  readonly reasons: readonly string[];
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
  { answer, shouldAbstain, reasons }: Assessed,
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
