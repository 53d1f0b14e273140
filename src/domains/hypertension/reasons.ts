import type { DeferralReasons } from '../../core/deferral-reasons.ts';
import { MISSING, OUTSIDE, UNCERTAIN } from '../cohort/clinical-task.ts';
import { CONTEXT } from '../cohort/fields.ts';
import type { Evidence } from '../domain.ts';

/** A fault of measurement: the value is there and cannot be relied on. */
const FAULT = { general: 'data_conflict', equivalent: ['uncertain', 'data_missing'] } as const;
const PEOPLE = { child: OUTSIDE, pregnancy: OUTSIDE } as const;

/** The reasons to defer of each task, with the general reason that each is a case of. */
export const CLASSIFICATION_REASONS: DeferralReasons = {
  ...PEOPLE,
  acute_illness_or_pain: OUTSIDE,
  atrial_fibrillation: MISSING,
  unstable_readings: { general: 'data_conflict', equivalent: ['data_missing'] },
  single_reading: { ...MISSING, equivalent: ['one_visit'] },
  no_reading: MISSING,
  one_visit: MISSING,
  cuff_too_small: FAULT,
  not_rested: FAULT,
  cuff_too_large: FAULT,
  lower_arm_measured: FAULT,
  near_hypertension_line: UNCERTAIN,
};

export const PHENOTYPE_REASONS: DeferralReasons = {
  ...PEOPLE,
  one_visit: MISSING,
  no_out_of_office: MISSING,
  home_readings_insufficient: MISSING,
  ambulatory_readings_insufficient: MISSING,
  near_threshold: UNCERTAIN,
};

export const TREATMENT_REASONS: DeferralReasons = {
  ...PEOPLE,
  one_visit: MISSING,
  missing_condition: MISSING,
  missing_risk: MISSING,
  risk_not_defined: { ...MISSING, equivalent: ['outside_scope', 'missing_risk'] },
  near_treatment_line: UNCERTAIN,
};

export const FOLLOW_UP_REASONS: DeferralReasons = {
  too_soon_after_change: { ...MISSING, equivalent: ['too_few_visits'] },
  too_few_visits: MISSING,
  near_goal: UNCERTAIN,
};

export const HYPERTENSION_REASONS: DeferralReasons = {
  ...CLASSIFICATION_REASONS,
  ...PHENOTYPE_REASONS,
  ...TREATMENT_REASONS,
  ...FOLLOW_UP_REASONS,
};

/** Tasks show either the visits or their mean. */
const OFFICE = ['Office visits', 'Office blood pressure, mean of all visits'];

/** The features that each reason to defer or to act rests on. */
export const HYPERTENSION_EVIDENCE: Evidence = {
  child: ['Age'],
  pregnancy: [CONTEXT],
  acute_illness_or_pain: [CONTEXT],
  atrial_fibrillation: ['Pulse'],
  unstable_readings: OFFICE,
  single_reading: OFFICE,
  no_reading: OFFICE,
  one_visit: ['Office visits', 'Number of office visits'],
  cuff_too_small: ['Cuff', 'Arm circumference'],
  cuff_too_large: ['Cuff', 'Arm circumference'],
  not_rested: ['Rest before measuring'],
  lower_arm_measured: ['Arm measured'],
  near_hypertension_line: OFFICE,
  no_out_of_office: ['Measured outside the office'],
  home_readings_insufficient: ['Days of home readings', 'Number of home readings'],
  ambulatory_readings_insufficient: ['Valid ambulatory readings'],
  near_threshold: [...OFFICE, 'Out-of-office blood pressure, mean'],
  missing_condition: ['Cardiovascular disease', 'Diabetes', 'Chronic kidney disease'],
  missing_risk: ['10-year risk of cardiovascular disease by PREVENT'],
  risk_not_defined: ['10-year risk of cardiovascular disease by PREVENT'],
  near_treatment_line: [...OFFICE, '10-year risk of cardiovascular disease by PREVENT'],
  too_soon_after_change: ['Last change of drugs', 'Day of the last change of drugs'],
  too_few_visits: OFFICE,
  near_goal: OFFICE,
  hypertensive_emergency: [...OFFICE, 'Symptoms and signs now'],
  severe_hypertension: OFFICE,
  severe_hypertension_in_pregnancy: [...OFFICE, CONTEXT],
};
