import type { FeatureValue } from '../../../core/index.ts';
import type { Features } from '../../../suites/task.ts';
import {
  acuteFrom,
  addAcute,
  addBackground,
  contextFrom,
  GLUCOSE_UNIT,
  glucoseIn,
  HBA1C_UNIT,
  type MeasuredAcute,
  numberIn,
  personLines,
  printedGlucose,
  printedHba1c,
  type ShownPerson,
  type UnitSystem,
} from '../shown.ts';
import { hba1cPercent } from '../units.ts';
import type { ControlCase, SensorData } from './assess.ts';

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
const GOAL = 'Agreed goal';
const HIGH_RISK = 'Older or at high risk of low glucose';
const HBA1C_AGE = 'HbA1c taken (days ago)';
const TREATMENT_CHANGE = 'Last change of treatment (days ago)';
const SENSOR = 'Glucose sensor';
const LOWEST = 'Lowest meter glucose of the last three months';
const SEVERE = "Low glucose that needed another person's help, last three months";
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

/** What the model sees. */
export function showControl(person: ControlPerson): Features {
  const { units } = person;
  const lines = personLines(person);
  lines[GOAL] = GOALS[units][person.goal];
  lines[HIGH_RISK] = person.highRisk ? 'yes' : 'no';
  lines.Therapy = person.therapy;
  lines[`HbA1c (${HBA1C_UNIT[units]})`] = person.hba1c === null ? null : printedHba1c(person.hba1c, units);
  lines[HBA1C_AGE] = person.hba1c === null ? null : person.hba1cDaysAgo;
  lines[TREATMENT_CHANGE] = person.treatmentChangeDaysAgo ?? 'none in the last year';
  lines[SENSOR] = person.sensor === null ? 'none worn' : sensorLines(person.sensor, units);
  lines[`${LOWEST} (${GLUCOSE_UNIT[units]})`] =
    person.lowestGlucose === null ? null : printedGlucose(person.lowestGlucose, units);
  lines[SEVERE] = person.severeEvent ? 'yes' : 'no';
  addAcute(lines, person.acute, units);
  addBackground(lines, person);
  return lines;
}

function sensorLines(sensor: NonNullable<ControlPerson['sensor']>, units: UnitSystem): FeatureValue {
  const names = RANGES[units];
  return {
    days: sensor.days,
    'time active (%)': sensor.activePercent,
    [names.tir]: sensor.tirPercent,
    [names.tbr70]: sensor.tbr70Percent,
    [names.tbr54]: sensor.tbr54Percent,
  };
}

/** Reads the case back from what is shown, and from nothing else. */
export function controlCase(features: Features): ControlCase {
  const percent = numberIn(features['HbA1c (%)']);
  const mmolMol = numberIn(features['HbA1c (mmol/mol)']);
  const hba1cAgeDays = numberIn(features[HBA1C_AGE]);
  const change = numberIn(features[TREATMENT_CHANGE]);
  const goal = features[GOAL];
  return {
    goalPercent: goal === GOALS.us[8] || goal === GOALS.si[8] ? 8 : 7,
    hba1cPercent: percent ?? (mmolMol === null ? null : hba1cPercent(mmolMol)),
    hba1cAgeDays,
    treatmentChangeDaysBefore: change === null || hba1cAgeDays === null ? null : change - hba1cAgeDays,
    context: contextFrom(features),
    sensor: sensorFrom(features[SENSOR]),
    highRisk: features[HIGH_RISK] === 'yes',
    lowestGlucose: glucoseIn(features, LOWEST),
    severeEvent: features[SEVERE] === 'yes',
    acute: acuteFrom(features, true),
  };
}

function sensorFrom(shown: FeatureValue | undefined): SensorData | null {
  if (typeof shown !== 'object' || shown === null) return null;
  const lines = shown as Readonly<Record<string, FeatureValue>>;
  const either = (name: 'tir' | 'tbr70' | 'tbr54') =>
    numberIn(lines[RANGES.us[name]]) ?? numberIn(lines[RANGES.si[name]]);
  return {
    days: numberIn(lines.days),
    activePercent: numberIn(lines['time active (%)']),
    tirPercent: either('tir'),
    tbr70Percent: either('tbr70'),
    tbr54Percent: either('tbr54'),
  };
}
