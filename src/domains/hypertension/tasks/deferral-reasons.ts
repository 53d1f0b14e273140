import type { DeferralReasons } from '../../../core/index.ts';

const missing = { general: 'data_missing' } as const;
const outside = { general: 'outside_scope' } as const;
const uncertain = { general: 'uncertain' } as const;
/** A fault of measurement: the value is there and cannot be relied on. */
const fault = { general: 'data_conflict', equivalent: ['uncertain', 'data_missing'] } as const;
const people = { child: outside, pregnancy: outside } as const;

/** The reasons to defer of each task, with the general reason that each is a case of. */
export const CLASSIFICATION_REASONS: DeferralReasons = {
  ...people,
  acute_illness_or_pain: outside,
  atrial_fibrillation: missing,
  unstable_readings: { general: 'data_conflict', equivalent: ['data_missing'] },
  single_reading: { ...missing, equivalent: ['one_visit'] },
  no_reading: missing,
  one_visit: missing,
  cuff_too_small: fault,
  not_rested: fault,
  cuff_too_large: fault,
  lower_arm_measured: fault,
  near_hypertension_line: uncertain,
};

export const PHENOTYPE_REASONS: DeferralReasons = {
  ...people,
  one_visit: missing,
  no_out_of_office: missing,
  home_readings_insufficient: missing,
  ambulatory_readings_insufficient: missing,
  near_threshold: uncertain,
};

export const TREATMENT_REASONS: DeferralReasons = {
  ...people,
  one_visit: missing,
  missing_condition: missing,
  missing_risk: missing,
  risk_not_defined: { ...missing, equivalent: ['outside_scope', 'missing_risk'] },
  near_treatment_line: uncertain,
};

export const FOLLOW_UP_REASONS: DeferralReasons = {
  too_soon_after_change: { ...missing, equivalent: ['too_few_visits'] },
  too_few_visits: missing,
  near_goal: uncertain,
};

export const HYPERTENSION_REASONS: DeferralReasons = {
  ...CLASSIFICATION_REASONS,
  ...PHENOTYPE_REASONS,
  ...TREATMENT_REASONS,
  ...FOLLOW_UP_REASONS,
};
