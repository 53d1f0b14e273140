import type { DeferralReasons } from '../../core/deferral-reasons.ts';
import { MISSING, OUTSIDE, UNCERTAIN } from '../cohort/clinical-task.ts';
import { CONTEXT } from '../cohort/fields.ts';
import type { Evidence } from '../domain.ts';

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

/** What eGFR is computed from. */
const FOR_EGFR = ['Serum creatinine', 'Visits', 'Age', 'Sex'];

/** The features that each reason to defer or to act rests on. */
export const CKD_EVIDENCE: Evidence = {
  missing_creatinine: ['Serum creatinine', 'Visits'],
  missing_age: ['Age'],
  missing_sex: ['Sex'],
  child: ['Age'],
  pregnancy: [CONTEXT],
  dialysis: [CONTEXT],
  acute_kidney_injury: [CONTEXT],
  extreme_muscle_mass: [CONTEXT],
  amputation: [CONTEXT],
  missing_acr: ['Urine albumin-creatinine ratio'],
  missing_albumin: ['Urine albumin, dipstick 0 to 5'],
  unexplained_urine_red_cells: ['Urine red blood cells'],
  near_stage_threshold: FOR_EGFR,
  too_few_visits: ['Visits'],
  follow_up_under_a_year: ['Visits'],
  near_progression_line: ['Visits'],
  'potassium_6.5_or_more': ['Serum potassium'],
  sodium_below_120: ['Serum sodium'],
  sodium_above_160: ['Serum sodium'],
  haemoglobin_below_7: ['Haemoglobin'],
  egfr_below_10: FOR_EGFR,
};
