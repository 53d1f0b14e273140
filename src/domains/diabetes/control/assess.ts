import { normalCdf } from '../../../statistics/special-functions.ts';
import { answered, noAnswer, type Verdict } from '../../cohort/verdict.ts';
import { type AcuteValues, acuteReasons, crisisReasons, type Glucose, isBelowLevel2 } from '../acute.ts';
import { type Context, invalidatesHba1c } from '../contexts.ts';
import { chanceAtOrAbove, VARIATION } from '../variation.ts';

export const CONTROL_LABELS = ['at_goal', 'above_goal', 'hypoglycaemia'] as const;
export type Control = (typeof CONTROL_LABELS)[number];

/** Data of a glucose sensor; null for what is not stated. */
export interface SensorData {
  readonly days: number | null;
  /** Share of the time that the sensor was active, %. */
  readonly activePercent: number | null;
  /** Time in range, 70 to 180 mg/dL, %. */
  readonly tirPercent: number | null;
  /** Time below 70 mg/dL, %. */
  readonly tbr70Percent: number | null;
  /** Time below 54 mg/dL, %. */
  readonly tbr54Percent: number | null;
}

/** What can be read off a record of the task control. */
export interface ControlCase {
  /** The agreed goal: HbA1c below this, %. */
  readonly goalPercent: 7 | 8;
  /** HbA1c in %, also where it was printed in mmol/mol. */
  readonly hba1cPercent: number | null;
  /** Null: taken as recent. */
  readonly hba1cAgeDays: number | null;
  /** Days from the last change of treatment to the HbA1c; null where treatment did not change. */
  readonly treatmentChangeDaysBefore: number | null;
  readonly context: Context | null;
  readonly sensor: SensorData | null;
  /** Older or at high risk of low glucose: stricter limits of time below range. */
  readonly highRisk: boolean;
  /** The lowest glucose of the last three months. */
  readonly lowestGlucose: Glucose | null;
  /** A low glucose with another person's help in the last three months. */
  readonly severeEvent: boolean;
  readonly acute: AcuteValues | null;
}

/** Time in range that goes with a goal, %. */
const TIR_LIMIT = { 7: 70, 8: 50 } as const;
/** A step of 5 points is what the consensus calls meaningful; that it is one SD is ours. */
const TIR_SD = 5;
/** Ours: an HbA1c older than this says little, and one sooner than this after a change of treatment shows the old treatment as well. */
const OLDEST_DAYS = 180;
const SETTLED_DAYS = 56;

/** What the record of the last three months calls for first: low glucose before high glucose before everything else; then HbA1c and sensor data against the agreed goal. */
export function assessControl(given: ControlCase, deferAbove?: number): Verdict<Control> {
  const { goalPercent, acute, context, sensor } = given;
  const now = acute === null ? [] : acuteReasons(acute);
  if (now.some((reason) => reason.endsWith('_hypoglycaemia')) || hadHypoglycaemia(given))
    return answered('hypoglycaemia', 0, { mustAct: now });
  if (acute !== null && crisisReasons(acute).length > 0) return answered('above_goal', 0, { mustAct: now });
  if (context === 'pregnancy') return noAnswer('pregnancy');

  const obstacles = hba1cObstacles(given);
  const hba1c = obstacles.length > 0 ? null : given.hba1cPercent!;
  const tir = isSufficient(sensor) ? sensor.tirPercent : null;
  if (hba1c === null && tir === null)
    return noAnswer(...obstacles, ...(sensor === null ? [] : ['cgm_insufficient']));
  const byHba1c = hba1c === null ? null : hba1c >= goalPercent;
  const byTir = tir === null ? null : tir <= TIR_LIMIT[goalPercent];
  if (byHba1c !== null && byTir !== null && byHba1c !== byTir) return noAnswer('hba1c_cgm_discordant');
  const isAbove = byHba1c ?? byTir!;
  let flip = 1;
  if (hba1c !== null) {
    const above = chanceAtOrAbove([hba1c], goalPercent, VARIATION.hba1c)!;
    flip = Math.min(flip, isAbove ? 1 - above : above);
  }
  if (tir !== null) flip = Math.min(flip, normalCdf(-Math.abs(tir - TIR_LIMIT[goalPercent]) / TIR_SD));
  return answered(isAbove ? 'above_goal' : 'at_goal', flip, { near: 'near_goal', deferAbove });
}

function hadHypoglycaemia({ severeEvent, lowestGlucose, sensor, highRisk }: ControlCase): boolean {
  if (severeEvent || (lowestGlucose !== null && isBelowLevel2(lowestGlucose))) return true;
  if (!isCovered(sensor)) return false;
  return (sensor.tbr54Percent ?? 0) >= 1 || (sensor.tbr70Percent ?? 0) >= (highRisk ? 1 : 4);
}

/** Why HbA1c does not count; empty where it does. */
function hba1cObstacles(given: ControlCase): string[] {
  if (given.hba1cPercent === null) return ['missing_hba1c'];
  const reasons: string[] = [];
  if (invalidatesHba1c(given.context)) reasons.push('hba1c_not_valid');
  if ((given.hba1cAgeDays ?? 0) > OLDEST_DAYS) reasons.push('hba1c_too_old');
  const change = given.treatmentChangeDaysBefore;
  if (change !== null && change >= 0 && change < SETTLED_DAYS) reasons.push('treatment_changed_recently');
  return reasons;
}

/** Sensor data count from 14 days with 70 % of the time covered. */
function isCovered(sensor: SensorData | null): sensor is SensorData {
  return sensor !== null && (sensor.days ?? 0) >= 14 && (sensor.activePercent ?? 0) >= 70;
}

function isSufficient(sensor: SensorData | null): sensor is SensorData & { readonly tirPercent: number } {
  return isCovered(sensor) && sensor.tirPercent !== null;
}
