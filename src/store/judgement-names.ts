/** The name under which the outcomes of callable traits are stored: functions judge, not a model. */
export const CALLABLE_JUDGE = 'krisis/callable';

/** The name under which the lists of the second protocol are stored, beside the verdicts of the same judge. */
export function bucketsJudge(judge: string): string {
  return `krisis/buckets:${judge}`;
}

/** How the names of the calls of one configuration of a judge begin. */
export function callsOf(config: string): string {
  return `judge:${config}:`;
}

/** The name under which the claims of answers are stored, checked by a judge against a source. */
export function claimsJudge(judge: string, sourceHash: string): string {
  return `krisis/claims:${sourceHash.slice(0, 12)}:${judge}`;
}
