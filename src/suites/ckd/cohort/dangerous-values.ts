import type { Random } from '../../../statistics/index.ts';
import { chance, uniform } from '../../cohort/distributions.ts';
import { roundToStep } from '../../cohort/round-to-step.ts';
import type { DrawnAnalytes } from './analytes.ts';
import type { Group } from './groups.ts';
import { REPORTED_STEP } from './reported-precision.ts';

/** Beyond these, potassium (mEq/L), glucose (mg/dL) and diastolic pressure (mmHg) might need action today, and no rule of the suite would say so. */
const MIN_POTASSIUM = 2.8;
const MAX_GLUCOSE = 350;
const MAX_DIASTOLIC = 100;

/**
 * Gives a few people a value that needs action today, where it is plausible: the published quantiles alone have too few of them for a rate. Values that might need it by no
 * rule of the suite are brought back to where they do not, so that a row without a finding is known to be no emergency.
 *
 * Assumptions (shares are design choices, no prevalence is meant):
 *
 * - potassium of 6.5 to 7.6 mEq/L: 3.5 % with GFR below 45 or acute kidney injury
 * - haemoglobin of 4.6 to 6.9 g/dL, with the packed cells and red cells that go with it: 4 % of the anaemic and of CKD with GFR below 30
 * - sodium of 109 to 119 mEq/L: 1.6 % from 60 years on and of the acutely ill; sodium of 161 to 170: 1 % of them
 *
 * Every draw is made for everybody, so that one patient's values do not move those of the next.
 */
export function drawDangerousValues(
  random: Random,
  analytes: DrawnAnalytes,
  person: {
    readonly age: number;
    readonly group: Group;
    readonly gfr: number;
    readonly acuteKidneyInjury: boolean;
  },
): DrawnAnalytes {
  const { age, group, gfr, acuteKidneyInjury } = person;
  const high = chance(random, 0.035) && (gfr < 45 || acuteKidneyInjury);
  const potassium = uniform(random, 6.5, 7.6);
  const anaemic = chance(random, 0.04) && (group === 'anaemia' || (group === 'ckd' && gfr < 30));
  const haemoglobin = uniform(random, 4.6, 6.9);
  const isFrail = age >= 60 || group === 'acute_illness';
  const dilute = chance(random, 0.016) && isFrail;
  const concentrated = chance(random, 0.01) && isFrail;
  const low = uniform(random, 109, 119);
  const above = uniform(random, 161, 170);

  const values = { ...analytes };
  values.pot = high
    ? roundToStep(potassium, REPORTED_STEP.pot)
    : Math.max(MIN_POTASSIUM, values.pot as number);
  const glucose = values.bgr as number;
  // Spread below the limit, not heaped on it.
  if (glucose > MAX_GLUCOSE)
    values.bgr = roundToStep(MAX_GLUCOSE - (glucose - MAX_GLUCOSE) / 3, REPORTED_STEP.bgr);
  values.bp = Math.min(MAX_DIASTOLIC, values.bp as number);
  if (anaemic) {
    values.hemo = roundToStep(haemoglobin, REPORTED_STEP.hemo);
    values.pcv = roundToStep(3 * haemoglobin, REPORTED_STEP.pcv);
    values.rbcc = roundToStep(haemoglobin / 3, REPORTED_STEP.rbcc);
    values.ane = 'yes';
  }
  if (dilute) values.sod = roundToStep(low, REPORTED_STEP.sod);
  else if (concentrated) values.sod = roundToStep(above, REPORTED_STEP.sod);
  return values;
}
