import type { FeatureValue } from '../../../core/patient-record.ts';
import { type ClinicalTask, clinicalTask, variationRule } from '../../cohort/clinical-task.ts';
import { linesIn, numberOrNull, recordForm } from '../../cohort/fields.ts';
import { acuteMustAct, CRISIS_RULE } from '../acute.ts';
import { HBA1C_NOT_VALID_IN } from '../contexts.ts';
import {
  acuteField,
  BACKGROUND_FIELDS,
  glucoseField,
  hba1cIn,
  hba1cLine,
  type MeasuredAcute,
  PERSON_FIELDS,
  type ShownPerson,
  type UnitSystem,
} from '../form.ts';
import { CONTROL_REASONS } from '../reasons.ts';
import { assessControl, CONTROL_LABELS, type Control, type ControlCase, type SensorData } from './assess.ts';

/** Who a record of the task control is about. */
export interface ControlPerson extends ShownPerson {
  readonly goal: 7 | 8;
  readonly highRisk: boolean;
  readonly therapy: string;
  /** In %, not rounded; null where not measured. */
  readonly hba1c: number | null;
  readonly hba1cDaysAgo: number;
  /** Null: no change in the last year. */
  readonly treatmentChangeDaysAgo: number | null;
  readonly sensor: Readonly<Record<keyof SensorData, number>> | null;
  /** mg/dL. */
  readonly lowestGlucose: number | null;
  readonly severeEvent: boolean;
  readonly acute: MeasuredAcute | null;
}

const GOALS: Readonly<Record<UnitSystem, Readonly<Record<7 | 8, string>>>> = {
  us: { 7: 'HbA1c below 7.0 %', 8: 'HbA1c below 8.0 %' },
  si: { 7: 'HbA1c below 53 mmol/mol', 8: 'HbA1c below 64 mmol/mol' },
};
const HBA1C_AGE = 'HbA1c taken (days ago)';
const ACTIVE = 'time active (%)';
const RANGES = {
  us: {
    tir: 'time in range, 70 to 180 mg/dL (%)',
    tbr70: 'time below 70 mg/dL (%)',
    tbr54: 'time below 54 mg/dL (%)',
  },
  si: {
    tir: 'time in range, 3.9 to 10.0 mmol/L (%)',
    tbr70: 'time below 3.9 mmol/L (%)',
    tbr54: 'time below 3.0 mmol/L (%)',
  },
} as const;

/** What the model sees, and what is read back from that. */
export const CONTROL_FORM = recordForm<ControlPerson, ControlCase>({
  ...PERSON_FIELDS,
  goalPercent: {
    label: 'Agreed goal',
    show: ({ goal, units }) => GOALS[units][goal],
    read: (goal) => (goal === GOALS.us[8] || goal === GOALS.si[8] ? 8 : 7),
  },
  highRisk: {
    label: 'Older or at high risk of low glucose',
    show: ({ highRisk }) => (highRisk ? 'yes' : 'no'),
    read: (value) => value === 'yes',
  },
  therapy: { label: 'Therapy', show: ({ therapy }) => therapy },
  hba1cPercent: {
    label: ({ hba1c, units }) => hba1cLine(hba1c, units)[0],
    show: ({ hba1c, units }) => hba1cLine(hba1c, units)[1],
    read: (_, features) => hba1cIn(features),
  },
  hba1cAgeDays: {
    label: HBA1C_AGE,
    show: ({ hba1c, hba1cDaysAgo }) => (hba1c === null ? null : hba1cDaysAgo),
    read: numberOrNull,
  },
  treatmentChangeDaysBefore: {
    label: 'Last change of treatment (days ago)',
    show: ({ treatmentChangeDaysAgo }) => treatmentChangeDaysAgo ?? 'none in the last year',
    read(value, features) {
      const [change, age] = [numberOrNull(value), numberOrNull(features[HBA1C_AGE])];
      return change === null || age === null ? null : change - age;
    },
  },
  sensor: {
    label: 'Glucose sensor',
    show: ({ sensor, units }) =>
      sensor === null
        ? 'none worn'
        : {
            days: sensor.days,
            [ACTIVE]: sensor.activePercent,
            [RANGES[units].tir]: sensor.tirPercent,
            [RANGES[units].tbr70]: sensor.tbr70Percent,
            [RANGES[units].tbr54]: sensor.tbr54Percent,
          },
    read: readSensor,
  },
  lowestGlucose: glucoseField(
    'Lowest meter glucose of the last three months',
    ({ lowestGlucose }) => lowestGlucose,
  ),
  severeEvent: {
    label: "Low glucose that needed another person's help, last three months",
    show: ({ severeEvent }) => (severeEvent ? 'yes' : 'no'),
    read: (value) => value === 'yes',
  },
  acute: acuteField(true),
  ...BACKGROUND_FIELDS,
});

function readSensor(shown: FeatureValue | undefined): SensorData | null {
  const lines = linesIn(shown);
  if (lines === null) return null;
  const either = (name: keyof typeof RANGES.us) =>
    numberOrNull(lines[RANGES.us[name]]) ?? numberOrNull(lines[RANGES.si[name]]);
  return {
    days: numberOrNull(lines.days),
    activePercent: numberOrNull(lines[ACTIVE]),
    tirPercent: either('tir'),
    tbr70Percent: either('tbr70'),
    tbr54Percent: either('tbr54'),
  };
}

const QUESTION =
  'The person has diabetes. Decide what the record of the last three months calls for first: hypoglycaemia, above_goal or at_goal. Judge by the ADA Standards of Care.';

export function controlTask(deferAbove: number): ClinicalTask<ControlCase> {
  return clinicalTask({
    id: 'diabetes/control',
    labels: CONTROL_LABELS,
    ordered: false,
    question: QUESTION,
    rule: [
      'Apply these rules in order; the first that fits decides.',
      "(1) hypoglycaemia: glucose now below 54 mg/dL (3.0 mmol/L) or another person's help needed now or in the last three months, a lowest glucose of the last three months below 54 mg/dL (3.0 mmol/L), or sensor data that count with 1 % or more of the time below 54 mg/dL (3.0 mmol/L), or 4 % or more below 70 mg/dL (3.9 mmol/L), 1 % for older or high-risk people.",
      `(2) above_goal: ketoacidosis or a hyperosmolar state now. ${CRISIS_RULE}`,
      '(3) Pregnancy: abstain.',
      `(4) HbA1c counts if it is at most 180 days old and treatment did not change in the 56 days before it, except in ${HBA1C_NOT_VALID_IN}. Sensor data count from 14 days with 70 % of the time active.`,
      '(5) Neither counts: abstain.',
      '(6) HbA1c is above goal from the goal on. Time in range is at goal above 70 % for a goal of 7.0 % (53 mmol/mol) and above 50 % for a goal of 8.0 % (64 mmol/mol). Where both count and disagree: abstain.',
      variationRule(
        'In rule 6: HbA1c varies around the true value by a CV of 2.6 %, time in range by 5 points; where both agree the surer one decides.',
        deferAbove,
      ),
    ].join(' '),
    deferralReasons: CONTROL_REASONS,
    stratum: { key: 'goal', label: 'goal' },
    read: CONTROL_FORM.read,
    mustAct: acuteMustAct,
    assess: (given) => assessControl(given, deferAbove),
    fallback: againstGoal,
    glance: againstGoal,
    lacks: ({ hba1cPercent }) => hba1cPercent === null,
  });
}

/** HbA1c against the goal, valid or not. */
function againstGoal({ hba1cPercent, goalPercent }: ControlCase): Control | null {
  if (hba1cPercent === null) return null;
  return hba1cPercent >= goalPercent ? 'above_goal' : 'at_goal';
}
