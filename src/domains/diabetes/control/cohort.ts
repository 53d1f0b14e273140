import type { Random } from '../../../statistics/random.ts';
import { chance, choose, normal, uniform } from '../../cohort/distributions.ts';
import { drawPatients, type Person } from '../../cohort/people.ts';
import { invalidatesHba1c, oldestWithin } from '../contexts.ts';
import {
  type ContextWeights,
  canLowerGlucose,
  drawContext,
  drawShownPerson,
  drawTherapy,
  drawUnits,
  glucoseNow,
  RED_CELL_CONTEXTS,
} from '../draws.ts';
import type { UnitSystem } from '../form.ts';
import { logSd, VARIATION } from '../variation.ts';
import type { ControlPerson } from './task.ts';

const CONTEXT_WEIGHTS: ContextWeights = {
  ...RED_CELL_CONTEXTS,
  unrelated: 26,
  haemoglobin_trait: 15,
  pregnancy: 4,
};

const GROUPS = { at_goal: 42, above_goal: 42, borderline: 16 } as const;
/** True HbA1c minus the goal, at rank u. */
const FROM_GOAL: Readonly<Record<keyof typeof GROUPS, (u: number) => number>> = {
  at_goal: (u) => -0.4 - 1.1 * u,
  above_goal: (u) => 0.4 + 2.8 * u * u,
  borderline: (u) => -0.35 + 0.7 * u,
};

const HBA1C_LOG_SD = logSd(VARIATION.hba1c);
/** Points of time in range per point of HbA1c, and its scatter. */
const TIR_PER_POINT = 18;
const TIR_SD = 5;

/** The people of a seed, without end. All depend on those before them; units change how values are printed and nothing else. */
export function controlPatients(seed: number, units: UnitSystem | 'mixed') {
  return drawPatients(seed, 'diabetesControl', (random, person) => drawPatient(random, person, units));
}

/** A generated person with what is hidden: in %, not rounded. */
function drawPatient(
  random: Random,
  person: Person,
  asked: UnitSystem | 'mixed',
): ControlPerson & { readonly trueHba1c: number } {
  const highRisk = chance(random, person.age >= 75 ? 0.75 : person.age >= 65 ? 0.35 : 0.08);
  const goal = chance(random, highRisk ? 0.7 : 0.2) ? 8 : 7;
  const trueHba1c = goal + FROM_GOAL[choose(random, GROUPS)](random.float());
  const units = drawUnits(random, asked);
  const { context, words } = drawContext(random, person, CONTEXT_WEIGHTS);
  const isMissing = chance(random, 0.1);
  const isOld = chance(random, 0.14);
  const isChanged = chance(random, 0.14);
  const oldest = oldestWithin(context, 150);
  const hba1cDaysAgo = isOld && oldest === 150 ? 190 + random.integer(200) : 1 + random.integer(oldest);
  const settledDays = isChanged ? 5 + random.integer(48) : 65 + random.integer(200);
  const hasChange = isChanged || chance(random, 0.25);
  const countsNot = isMissing || isOld || isChanged || invalidatesHba1c(context);
  const sensor = chance(random, countsNot ? 0.62 : 0.45)
    ? drawSensor(random, trueHba1c, goal, highRisk)
    : null;
  const isLow = chance(random, 0.12);
  const severeEvent = chance(random, isLow ? 0.15 : 0.01);
  const acute = chance(random, 0.07) ? glucoseNow(random) : null;
  const isLowNow = acute !== null && acute.glucose < 54;
  const isLowOnSensor = sensor !== null && sensor.tbr54Percent > 0;
  const therapy = drawTherapy(random, context, isLow || severeEvent || isLowNow || isLowOnSensor);
  const usualLowest = uniform(random, canLowerGlucose(therapy) ? 60 : 72, 105);
  const lowest = isLow ? uniform(random, 36, 52) : usualLowest;
  const isLowestMissing = !isLow && chance(random, 0.14);
  const measuredHba1c = trueHba1c * Math.exp(HBA1C_LOG_SD * normal(random));
  return {
    ...drawShownPerson(random, person, { units, context, words, hba1c: trueHba1c }),
    goal,
    highRisk,
    therapy,
    hba1c: isMissing ? null : measuredHba1c,
    hba1cDaysAgo,
    treatmentChangeDaysAgo: hasChange ? hba1cDaysAgo + settledDays : null,
    // Some time below 70 mg/dL takes a drug that lowers glucose.
    sensor: sensor === null || canLowerGlucose(therapy) ? sensor : { ...sensor, tbr70Percent: 0 },
    // A glucose that is lower now is the lowest.
    lowestGlucose: isLowestMissing ? null : Math.min(lowest, acute?.glucose ?? lowest),
    severeEvent,
    acute,
    trueHba1c,
  };
}

/** Times below range keep a point from their limits, since no variation is known for them. */
function drawSensor(
  random: Random,
  hba1c: number,
  goal: 7 | 8,
  highRisk: boolean,
): NonNullable<ControlPerson['sensor']> {
  const isShort = chance(random, 0.16);
  const byDays = chance(random, 0.5);
  const limit = goal === 7 ? 70 : 50;
  const tir = Math.round(limit - TIR_PER_POINT * (hba1c - goal) + TIR_SD * normal(random));
  const isLow = chance(random, 0.05);
  const tbr54 = isLow ? 2 + random.integer(3) : 0;
  const tbr70 = isLow ? tbr54 + 4 + random.integer(4) : highRisk ? 0 : random.integer(4);
  return {
    days: isShort && byDays ? 4 + random.integer(8) : 14,
    activePercent: isShort && !byDays ? 35 + random.integer(31) : 76 + random.integer(23),
    tirPercent: Math.max(4, Math.min(98 - tbr70, tir)),
    tbr70Percent: tbr70,
    tbr54Percent: tbr54,
  };
}
