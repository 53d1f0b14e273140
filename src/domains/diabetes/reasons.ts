import type { DeferralReasons } from '../../core/deferral-reasons.ts';
import { MISSING, OUTSIDE, UNCERTAIN } from '../cohort/clinical-task.ts';
import { CONTEXT } from '../cohort/fields.ts';
import type { Evidence } from '../domain.ts';

/** A result that cannot be used: a usable one is missing, and reading it anyway leaves the answer uncertain. */
const unusable = { ...OUTSIDE, equivalent: ['data_missing', 'uncertain'] } as const;

export const DIAGNOSIS_REASONS: DeferralReasons = {
  pregnancy: OUTSIDE,
  discordant_results: { general: 'data_conflict' },
  unconfirmed_single_result: { ...MISSING, equivalent: ['uncertain'] },
  hba1c_not_valid: unusable,
  acute_illness_or_steroids: unusable,
  not_fasting: unusable,
  not_laboratory: unusable,
  random_glucose_only: { ...MISSING, equivalent: ['uncertain'] },
  no_test: MISSING,
  glucose_lowering_drug: { ...OUTSIDE, equivalent: ['uncertain'] },
  near_diagnostic_line: UNCERTAIN,
};

export const CONTROL_REASONS: DeferralReasons = {
  pregnancy: OUTSIDE,
  missing_hba1c: MISSING,
  hba1c_not_valid: unusable,
  hba1c_too_old: { ...MISSING, equivalent: ['uncertain'] },
  treatment_changed_recently: { ...UNCERTAIN, equivalent: ['data_missing'] },
  cgm_insufficient: { ...MISSING, equivalent: ['uncertain'] },
  hba1c_cgm_discordant: { general: 'data_conflict' },
  near_goal: UNCERTAIN,
};

export const TREND_REASONS: DeferralReasons = {
  hba1c_not_valid: unusable,
  // A record can have both; the suite then names the first.
  too_few_visits: { ...MISSING, equivalent: ['follow_up_under_six_months'] },
  follow_up_under_six_months: { ...MISSING, equivalent: ['too_few_visits'] },
  course_uncertain: { ...UNCERTAIN, equivalent: ['change_inside_reference_change_value'] },
  change_inside_reference_change_value: { ...UNCERTAIN, equivalent: ['course_uncertain'] },
};

export const DIABETES_REASONS: DeferralReasons = {
  ...DIAGNOSIS_REASONS,
  ...CONTROL_REASONS,
  ...TREND_REASONS,
};

const ACUTE = ['Acute measurements'];

/** The features that each reason to defer or to act rests on. */
export const DIABETES_EVIDENCE: Evidence = {
  pregnancy: [CONTEXT],
  discordant_results: ['Results'],
  unconfirmed_single_result: ['Results'],
  hba1c_not_valid: [CONTEXT],
  acute_illness_or_steroids: [CONTEXT],
  not_fasting: ['Results'],
  not_laboratory: ['Results'],
  random_glucose_only: ['Results'],
  no_test: ['Results'],
  glucose_lowering_drug: [CONTEXT],
  near_diagnostic_line: ['Results'],
  missing_hba1c: ['HbA1c'],
  hba1c_too_old: ['HbA1c taken'],
  treatment_changed_recently: ['Last change of treatment'],
  cgm_insufficient: ['Glucose sensor'],
  hba1c_cgm_discordant: ['HbA1c', 'Glucose sensor'],
  near_goal: ['HbA1c', 'Glucose sensor', 'Agreed goal'],
  too_few_visits: ['Visits'],
  follow_up_under_six_months: ['Visits'],
  course_uncertain: ['Visits'],
  change_inside_reference_change_value: ['Visits'],
  level_2_hypoglycaemia: ACUTE,
  level_3_hypoglycaemia: ACUTE,
  diabetic_ketoacidosis: ACUTE,
  suspected_ketoacidosis: ACUTE,
  hyperosmolar_state: ACUTE,
};
