import type { CkdCase } from '../case.ts';
import { ADULT_AGE } from '../equations/ckd-epi.ts';

/** Why CKD-EPI does not apply to this person, or cannot be computed: reasons to defer on anything that rests on eGFR. */
export function egfrObstacles({ age, sex, creatinineMgDl, context }: CkdCase): string[] {
  return [
    ...(creatinineMgDl === null ? ['missing_creatinine'] : []),
    ...(age === null ? ['missing_age'] : []),
    ...(sex === null ? ['missing_sex'] : []),
    ...(age !== null && age < ADULT_AGE ? ['child'] : []),
    ...(context === null ? [] : [CONTEXT_REASONS[context]]),
  ];
}

const CONTEXT_REASONS = {
  pregnant: 'pregnancy',
  dialysis: 'dialysis',
  acuteKidneyInjury: 'acute_kidney_injury',
  extremeMuscleMass: 'extreme_muscle_mass',
  amputation: 'amputation',
} as const;
