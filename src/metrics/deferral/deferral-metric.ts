import { countMetric } from '../built-in.ts';
import { deferralOf } from './deferral-table.ts';

export const NO_LABELS = 'no_deferral_labels';

/** A metric on labelled rows: what all deferral metrics share. */
export function deferralMetric(spec: Omit<Parameters<typeof countMetric>[0], 'family'>) {
  return countMetric({
    family: 'deferral',
    nEvaluated: (sample) => deferralOf(sample).n,
    nAbstained: (sample) => deferralOf(sample).abstained,
    ...spec,
  });
}
