import type { DeferralReasons } from '../../../core/index.ts';

const missing = { general: 'data_missing' } as const;
const outside = { general: 'outside_scope' } as const;
const uncertain = { general: 'uncertain' } as const;

/** Why CKD-EPI cannot be computed, or does not apply. */
const EGFR = {
  missing_creatinine: missing,
  missing_age: missing,
  missing_sex: missing,
  child: outside,
  pregnancy: outside,
  dialysis: outside,
  acute_kidney_injury: outside,
  extreme_muscle_mass: outside,
  amputation: outside,
} as const satisfies DeferralReasons;

const { dialysis: _settlesDetection, ...EGFR_IN_DETECTION } = EGFR;

/** The reasons to defer of each task, with the general reason that each is a case of. */
export const DETECTION_REASONS: DeferralReasons = {
  ...EGFR_IN_DETECTION,
  missing_acr: missing,
  // Whether the cells come from the kidney is not recorded, so either word is right.
  unexplained_urine_red_cells: { ...uncertain, equivalent: ['data_missing'] },
};

export const UCI_DETECTION_REASONS: DeferralReasons = {
  missing_creatinine: missing,
  missing_age: missing,
  missing_sex: missing,
  child: outside,
  missing_albumin: missing,
};

export const STAGING_REASONS: DeferralReasons = { ...EGFR, near_stage_threshold: uncertain };

export const PROGRESSION_REASONS: DeferralReasons = {
  ...EGFR,
  // A record can have both; the suite then names the first.
  too_few_visits: { ...missing, equivalent: ['follow_up_under_a_year'] },
  follow_up_under_a_year: { ...missing, equivalent: ['too_few_visits'] },
  near_progression_line: uncertain,
};

export const CKD_REASONS: DeferralReasons = {
  ...DETECTION_REASONS,
  ...UCI_DETECTION_REASONS,
  ...STAGING_REASONS,
  ...PROGRESSION_REASONS,
};
