import type { PolicyReport } from './run-threshold.ts';

/** What a policy does to emergencies, as the part of a sentence that every promise ends with. */
export function emergencyClause({
  emergencies: { n, missed, failed },
}: Pick<PolicyReport, 'emergencies'>): string {
  const unknown = failed === 1 ? 'the call about 1 emergency' : `the calls about ${failed} emergencies`;
  if (n === 0)
    return failed === 0
      ? 'no case here is marked as an emergency'
      : `${unknown} failed, so it is unknown whether any would be missed`;
  const known = `${missed} of ${n} emergencies would be missed`;
  return failed === 0 ? known : `${known}, and ${unknown} failed`;
}
