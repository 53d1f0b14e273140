import type { Scorecard } from './score.ts';

export type ScoredUnit = 'case' | 'answer';

/** What the rows of a scorecard are: cases, or answers where a case was asked several times. */
export function scoredUnit({
  nScored,
  nIndependent,
  method,
}: Pick<Scorecard, 'nScored' | 'nIndependent' | 'method'>): ScoredUnit {
  return method.cluster === 'id' && nIndependent < nScored ? 'answer' : 'case';
}
