import { answered, noAnswer, type Verdict } from '../../cohort/verdict.ts';
import { accAha2017, bpMustAct, type Danger, type Pressure } from '../blood-pressure.ts';
import { PREVENT_AGES } from '../prevent.ts';
import { lineProbability, officeError } from '../variation.ts';
import { ADULT_AGE } from './classification.ts';

export const DECISIONS = ['start', 'no_drug'] as const;
const RISK_LINE = 7.5;
/** A risk this near to its line decides nothing. */
const NEAR_RISK = 0.5;
const STAGE_1: Pressure = [130, 80];
const STAGE_2: Pressure = [140, 90];

/** What the decision rests on; null: not known. */
export interface TreatmentCase extends Danger {
  readonly mean: Pressure | null;
  readonly nVisits: number | null;
  readonly age: number | null;
  readonly cvd: boolean | null;
  readonly diabetes: boolean | null;
  readonly ckd: boolean | null;
  /** 10-year risk of cardiovascular disease by PREVENT. */
  readonly preventPercent: number | null;
  /** Months of lifestyle change already tried. */
  readonly lifestyleMonths: number | null;
}

/**
 * Whether an untreated adult starts drugs now, by ACC/AHA 2025.
 *
 * @example
 * ```ts
 * const person = { mean: [135, 78], nVisits: 6, age: 52, cvd: false, diabetes: false, ckd: false, preventPercent: null, lifestyleMonths: 0, pregnant: false, organDamage: false } as const;
 * assessTreatment(person).reasons // => ['missing_risk']
 * assessTreatment({ ...person, mean: [158, 96] }).answer // => 'start'
 * ```
 */
export function assessTreatment(given: TreatmentCase): Verdict<(typeof DECISIONS)[number]> {
  const { mean, age } = given;
  if (age !== null && age < ADULT_AGE) return noAnswer('child');
  const mustAct = mean === null ? [] : bpMustAct(mean, given, 'acc_aha_2025');
  if (mustAct.length > 0) return answered('start', 0, { mustAct });
  if (given.pregnant === true) return noAnswer('pregnancy');
  if (mean === null || (given.nVisits ?? 0) < 2) return noAnswer('one_visit');
  const stage = accAha2017(mean[0], mean[1]);
  const risk = countingRisk(given);
  const status = assessStatus(given, risk);
  if (stage === 'stage_1' && status === 'unknown') return noAnswer(...missing(given, risk));
  const start = stage === 'stage_2' || (stage === 'stage_1' && (status === 'high' || status === 'trial'));
  const atStage2 = status === 'low' || (status === 'unknown' && stage === 'stage_2');
  const { flipProbability } = lineProbability(
    mean,
    officeError(given.nVisits!),
    atStage2 ? STAGE_2 : STAGE_1,
  );
  return answered<(typeof DECISIONS)[number]>(start ? 'start' : 'no_drug', flipProbability, {
    near: 'near_treatment_line',
    mustAct,
    unlabelled: stage === 'stage_1' && (status === 'trial' || restsOnNearRisk(given, risk)),
  });
}

/** The risk where PREVENT is defined, else null. */
function countingRisk({ age, preventPercent }: TreatmentCase): number | null {
  return age !== null && age >= PREVENT_AGES.from && age <= PREVENT_AGES.to ? preventPercent : null;
}

function assessStatus({ cvd, diabetes, ckd, lifestyleMonths }: TreatmentCase, risk: number | null) {
  const months = lifestyleMonths ?? 0;
  if (cvd === true || diabetes === true || ckd === true) return 'high';
  if ((risk ?? 0) >= RISK_LINE || months >= 6) return 'high';
  if (months >= 3) return 'trial';
  return cvd === false && diabetes === false && ckd === false && risk !== null ? 'low' : 'unknown';
}

function missing({ cvd, diabetes, ckd, age }: TreatmentCase, risk: number | null): string[] {
  const isDefined = age === null || (age >= PREVENT_AGES.from && age <= PREVENT_AGES.to);
  return [
    ...(cvd === null || diabetes === null || ckd === null ? ['missing_condition'] : []),
    ...(risk === null ? [isDefined ? 'missing_risk' : 'risk_not_defined'] : []),
  ];
}

function restsOnNearRisk(
  { cvd, diabetes, ckd, lifestyleMonths }: TreatmentCase,
  risk: number | null,
): boolean {
  const otherwise = cvd === true || diabetes === true || ckd === true || (lifestyleMonths ?? 0) >= 6;
  return !otherwise && risk !== null && Math.abs(risk - RISK_LINE) <= NEAR_RISK;
}
