import type { DeferralReasons } from '../../core/index.ts';

const missing = { general: 'data_missing' } as const;
const outside = { general: 'outside_scope' } as const;
const uncertain = { general: 'uncertain' } as const;
/** A result that cannot be used: a usable one is missing, and reading it anyway leaves the answer uncertain. */
const unusable = { ...outside, equivalent: ['data_missing', 'uncertain'] } as const;

export const DIAGNOSIS_REASONS: DeferralReasons = {
  pregnancy: outside,
  discordant_results: { general: 'data_conflict' },
  unconfirmed_single_result: { ...missing, equivalent: ['uncertain'] },
  hba1c_not_valid: unusable,
  acute_illness_or_steroids: unusable,
  not_fasting: unusable,
  not_laboratory: unusable,
  random_glucose_only: { ...missing, equivalent: ['uncertain'] },
  no_test: missing,
  glucose_lowering_drug: { ...outside, equivalent: ['uncertain'] },
  near_diagnostic_line: uncertain,
};

export const CONTROL_REASONS: DeferralReasons = {
  pregnancy: outside,
  missing_hba1c: missing,
  hba1c_not_valid: unusable,
  hba1c_too_old: { ...missing, equivalent: ['uncertain'] },
  treatment_changed_recently: { ...uncertain, equivalent: ['data_missing'] },
  cgm_insufficient: { ...missing, equivalent: ['uncertain'] },
  hba1c_cgm_discordant: { general: 'data_conflict' },
  near_goal: uncertain,
};

export const TREND_REASONS: DeferralReasons = {
  hba1c_not_valid: unusable,
  // A record can have both; the suite then names the first.
  too_few_visits: { ...missing, equivalent: ['follow_up_under_six_months'] },
  follow_up_under_six_months: { ...missing, equivalent: ['too_few_visits'] },
  course_uncertain: { ...uncertain, equivalent: ['change_inside_reference_change_value'] },
  change_inside_reference_change_value: { ...uncertain, equivalent: ['course_uncertain'] },
};

export const DIABETES_REASONS: DeferralReasons = {
  ...DIAGNOSIS_REASONS,
  ...CONTROL_REASONS,
  ...TREND_REASONS,
};
