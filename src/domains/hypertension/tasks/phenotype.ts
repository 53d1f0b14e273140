import { answered, noAnswer, type Verdict } from '../../cohort/verdict.ts';
import { type BpGuideline, bpMustAct, type Danger, HIGH_FROM, type Pressure } from '../blood-pressure.ts';
import { AMBULATORY_SD, HOME_SD, lineProbability, officeError } from '../variation.ts';
import { ADULT_AGE } from './classification.ts';

export const PHENOTYPES = ['normotension', 'white_coat', 'masked', 'sustained'] as const;
type Phenotype = (typeof PHENOTYPES)[number];

const MIN_OFFICE_VISITS = 2;
const MIN_HOME_DAYS = 3;
const MIN_HOME_READINGS = 12;
const MIN_VALID_PERCENT = 70;

/** Pressure outside the office. Null: not recorded. */
export interface OutOfOffice {
  readonly setting: 'home' | 'ambulatory_day' | 'ambulatory_24h';
  readonly mean: Pressure | null;
  /** Home only. */
  readonly days: number | null;
  readonly readings: number | null;
  /** Ambulatory only. */
  readonly validPercent: number | null;
}

/** What the phenotype rests on. */
export interface PhenotypeCase extends Danger {
  readonly age: number | null;
  readonly onTreatment: boolean | null;
  readonly officeMean: Pressure | null;
  readonly officeVisits: number | null;
  /** Null: nothing was measured outside the office. */
  readonly outOfOffice: OutOfOffice | null;
}

/**
 * Which of office and out-of-office pressure is high.
 *
 * @example
 * ```ts
 * const home = { setting: 'home', mean: [117, 70], days: 7, readings: 24, validPercent: null } as const;
 * const person = { age: 44, pregnant: false, onTreatment: false, organDamage: false, officeMean: [149, 92], officeVisits: 3, outOfOffice: home } as const;
 * assessPhenotype(person, 'acc_aha_2025').answer // => 'white_coat'
 * assessPhenotype({ ...person, outOfOffice: { ...home, days: 2 } }, 'acc_aha_2025').reasons // => ['home_readings_insufficient']
 * ```
 */
export function assessPhenotype(given: PhenotypeCase, guideline: BpGuideline): Verdict<Phenotype> {
  const { age, pregnant, onTreatment, officeMean, officeVisits, outOfOffice } = given;
  if (age !== null && age < ADULT_AGE) return noAnswer('child');
  if (pregnant === true) return noAnswer('pregnancy');
  if (onTreatment === true) return noAnswer('on_treatment');
  const outside = outOfOffice?.mean ?? null;
  const tooFew = officeMean === null || (officeVisits ?? 0) < MIN_OFFICE_VISITS;
  const gap = outOfOffice === null || outside === null ? 'no_out_of_office' : insufficient(outOfOffice);
  if (tooFew || gap !== null) {
    return noAnswer(...(tooFew ? ['one_visit'] : []), ...(gap === null ? [] : [gap]));
  }
  const lines = HIGH_FROM[guideline];
  const office = lineProbability(officeMean, officeError(officeVisits!), lines.office);
  const { setting } = outOfOffice!;
  const out = lineProbability(outside!, setting === 'home' ? HOME_SD : AMBULATORY_SD, lines[setting]);
  const flip = 1 - (1 - office.flipProbability) * (1 - out.flipProbability);
  return answered(classifyPhenotype(office.high, out.high), flip, {
    near: 'near_threshold',
    mustAct: bpMustAct(officeMean, given, guideline),
  });
}

export function classifyPhenotype(office: boolean, outside: boolean): Phenotype {
  if (office) return outside ? 'sustained' : 'white_coat';
  return outside ? 'masked' : 'normotension';
}

function insufficient({ setting, days, readings, validPercent }: OutOfOffice): string | null {
  if (setting === 'home') {
    const enough = (days ?? 0) >= MIN_HOME_DAYS && (readings ?? 0) >= MIN_HOME_READINGS;
    return enough ? null : 'home_readings_insufficient';
  }
  return (validPercent ?? 0) >= MIN_VALID_PERCENT ? null : 'ambulatory_readings_insufficient';
}
