import type { DeferralReasons } from '../../core/deferral-reasons.ts';
import { MISSING, OUTSIDE, UNCERTAIN } from '../cohort/clinical-task.ts';

/** Why CKD-EPI cannot be computed, or does not apply. */
const EGFR = {
  missing_creatinine: MISSING,
  missing_age: MISSING,
  missing_sex: MISSING,
  child: OUTSIDE,
  pregnancy: OUTSIDE,
  dialysis: OUTSIDE,
  acute_kidney_injury: OUTSIDE,
  extreme_muscle_mass: OUTSIDE,
  amputation: OUTSIDE,
} as const satisfies DeferralReasons;

const { dialysis: _settlesDetection, ...EGFR_IN_DETECTION } = EGFR;

/** The reasons to defer of each task, with the general reason that each is a case of. */
export const DETECTION_REASONS: DeferralReasons = {
  ...EGFR_IN_DETECTION,
  missing_acr: MISSING,
  // Whether the cells come from the kidney is not recorded, so either word is right.
  unexplained_urine_red_cells: { ...UNCERTAIN, equivalent: ['data_missing'] },
};

export const UCI_DETECTION_REASONS: DeferralReasons = {
  missing_creatinine: MISSING,
  missing_age: MISSING,
  missing_sex: MISSING,
  child: OUTSIDE,
  missing_albumin: MISSING,
};

export const STAGING_REASONS: DeferralReasons = { ...EGFR, near_stage_threshold: UNCERTAIN };

export const PROGRESSION_REASONS: DeferralReasons = {
  ...EGFR,
  // A record can have both; the suite then names the first.
  too_few_visits: { ...MISSING, equivalent: ['follow_up_under_a_year'] },
  follow_up_under_a_year: { ...MISSING, equivalent: ['too_few_visits'] },
  near_progression_line: UNCERTAIN,
};

export const CKD_REASONS: DeferralReasons = {
  ...DETECTION_REASONS,
  ...UCI_DETECTION_REASONS,
  ...STAGING_REASONS,
  ...PROGRESSION_REASONS,
};
