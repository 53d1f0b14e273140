import { answered, noAnswer, type Verdict } from '../../cohort/verdict.ts';
import { type BpGuideline, bpMustAct, type Pressure } from '../blood-pressure.ts';
import { type BpVisit, latestMean, officeAverage } from '../office-average.ts';
import { lineProbability, officeError } from '../variation.ts';

export const CONTROL = ['controlled', 'uncontrolled'] as const;
const GOAL: Pressure = [130, 80];
/** Days after a change of drugs until it has its full effect. */
const SETTLED_AFTER = 28;
const MIN_VISITS = 2;

/** What the control of treated pressure rests on. Null: not recorded. */
export interface FollowUpCase {
  readonly visits: readonly BpVisit[];
  /** The day of the last change of drugs. Null: none is recorded, and all visits count. */
  readonly treatmentChangedDay: number | null;
  readonly organDamage: boolean | null;
}

/**
 * Whether treated pressure is below its goal. Only visits from 28 days after the last change on count, so the visit that led to the change is never averaged in.
 *
 * @example
 * ```ts
 * const visits = [{ day: 0, readings: [[151, 91], [149, 89]] }, { day: 21, readings: [[125, 77], [123, 75]] }] as const;
 * assessFollowUp({ visits, treatmentChangedDay: 1, organDamage: false }, { guideline: 'acc_aha_2025' }).reasons // => ['too_soon_after_change']
 * ```
 */
export function assessFollowUp(
  { visits, treatmentChangedDay, organDamage }: FollowUpCase,
  { guideline, goal = GOAL }: { readonly guideline: BpGuideline; readonly goal?: Pressure },
): Verdict<(typeof CONTROL)[number]> {
  const latest = latestMean(visits, guideline);
  const mustAct = latest === null ? [] : bpMustAct(latest, { organDamage, pregnant: null }, guideline);
  if (mustAct.length > 0) return answered('uncontrolled', 0, { mustAct });
  const { mean, nVisits } = settledAverage({ visits, treatmentChangedDay }, guideline);
  if (mean === null || nVisits < MIN_VISITS) {
    const { nVisits: inAll } = officeAverage(visits, null, guideline);
    return noAnswer(inAll >= MIN_VISITS ? 'too_soon_after_change' : 'too_few_visits');
  }
  const { high, flipProbability } = lineProbability(mean, officeError(nVisits), goal);
  return answered<(typeof CONTROL)[number]>(high ? 'uncontrolled' : 'controlled', flipProbability, {
    near: 'near_goal',
    mustAct,
  });
}

/** The mean of the usable visits that count. */
export function settledAverage(
  { visits, treatmentChangedDay }: Omit<FollowUpCase, 'organDamage'>,
  guideline: BpGuideline,
) {
  const counts = ({ day }: BpVisit) =>
    treatmentChangedDay === null || (day !== null && day >= treatmentChangedDay + SETTLED_AFTER);
  return officeAverage(visits.filter(counts), null, guideline);
}
