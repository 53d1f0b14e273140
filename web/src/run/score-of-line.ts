import type { Score } from '../../../src/viewer/browser.ts';
import type { ScoreLine } from '../api.ts';

/** A score in the form that the report's functions take. */
export function scoreOfLine({
  n,
  n_successes,
  interval,
  interval_reason,
  better,
  leads: _leads,
  column: _column,
  harm,
  constant_policies: constantPolicies,
  ...same
}: ScoreLine): Score {
  return {
    ...same,
    interval: interval && { ...interval, resamples: null, unit: 'row' },
    intervalReason: interval_reason,
    nEvaluated: n,
    nSuccesses: n_successes,
    nAbstained: 0,
    breakdown: {},
    facts: { better, harm, ...(constantPolicies && { constantPolicies }) },
  };
}

/** The scores of the first screen, in order. */
export function leadingLines(scores: readonly ScoreLine[]): ScoreLine[] {
  return scores.filter(({ leads }) => leads !== null).toSorted((a, b) => a.leads! - b.leads!);
}
