import type { Random } from '../../../statistics/index.ts';
import { chance, uniform } from '../../cohort/distributions.ts';
import type { Context } from '../case.ts';
import { ADULT_AGE } from '../equations/ckd-epi.ts';
import type { Demographics } from './demographics.ts';

/** What makes CKD-EPI fail in an adult, what it does to creatinine, and for how many days back it has done so. */
export interface PopulationState {
  /** Null for nothing special. With acute injury creatinine is rising or falling: no steady state. */
  readonly context: Context | null;
  readonly creatinineFactor: number;
  readonly sinceDays: number;
}

const USUAL: PopulationState = { context: null, creatinineFactor: 1, sinceDays: 0 };

/**
 * Assumptions (shares are design choices, small, but enough for a table by reason):
 *
 * - dialysis: 3 of 10 adults with GFR under 10; creatinine as it is before a session
 * - acute kidney injury: 15 % of the acutely ill, 1.5 % of others; creatinine 1.5 to 3 times the person's own (KDIGO's
 *   definition begins at 1.5), at the index visit only. The true GFR stays that of the steady state.
 * - pregnancy: 8 % of women of 18 to 44; creatinine a quarter lower, since GFR rises by about half, over the last
 *   180 days
 * - extreme muscle mass: 1.3 %; creatinine 1.25 to 1.5 times (bodybuilders) or 0.55 to 0.75 times (wasting), always
 * - amputation: 1 %; creatinine 0.75 to 0.9 times, always
 *
 * None in children, who are outside the equation anyway.
 */
export function drawPopulationState(random: Random, person: Demographics & { gfr: number }): PopulationState {
  const { sex, age, group, gfr } = person;
  // Every draw is made for everybody, so that one patient's state does not move the numbers of the next draw.
  const dialysis = chance(random, 0.3) && gfr < 10;
  const acuteKidneyInjury = chance(random, group === 'acute_illness' ? 0.15 : 0.015);
  const pregnant = chance(random, 0.08) && sex === 'female' && age < 45;
  const extremeMuscleMass = chance(random, 0.013);
  const amputation = chance(random, 0.01);
  const acuteFactor = uniform(random, 1.5, 3);
  const muscleFactor = chance(random, 0.5) ? uniform(random, 1.25, 1.5) : uniform(random, 0.55, 0.75);
  const limbFactor = uniform(random, 0.75, 0.9);

  if (age < ADULT_AGE) return USUAL;
  if (dialysis) return { ...USUAL, context: 'dialysis' };
  if (acuteKidneyInjury) return { ...USUAL, context: 'acuteKidneyInjury', creatinineFactor: acuteFactor };
  if (pregnant) return { context: 'pregnant', creatinineFactor: 0.75, sinceDays: 180 };
  const always = { sinceDays: Infinity };
  if (extremeMuscleMass) return { context: 'extremeMuscleMass', creatinineFactor: muscleFactor, ...always };
  if (amputation) return { context: 'amputation', creatinineFactor: limbFactor, ...always };
  return USUAL;
}
