import type { Random } from '../../../statistics/index.ts';
import { normal } from '../../cohort/distributions.ts';
import { roundToStep } from '../../cohort/round-to-step.ts';
import type { Sex } from '../equations/ckd-epi.ts';
import { ACR_LOG_SD, logCreatinineSd } from '../equations/variation.ts';
import type { CohortVisit } from './cohort-patient.ts';
import type { PopulationState } from './population-state.ts';
import { reportedAcr } from './reported-precision.ts';
import { DAYS_PER_YEAR, type DatedGfr } from './trajectory.ts';
import type { Course } from './true-course.ts';
import { trueCreatinine } from './true-creatinine.ts';

/** A visit at which everything was measured. */
export type MeasuredVisit = CohortVisit & { readonly creatinineMgDl: number; readonly acrMgPerG: number };

/** SD of log creatinine around the true value: within-person and analytical variation together, 0.0512. */
const CREATININE_LOG_SD = logCreatinineSd();

/** By how much true ACR changes in a year: a design choice that lets albuminuria go along with GFR. */
const ACR_PER_YEAR: Readonly<Record<Course, number>> = { stable: 1, worsening: 1.25, improving: 0.8 };

const DAY_MS = 86_400_000;
/** The first day of 2024, in days since 1970. */
const FIRST_INDEX_DAY = Date.UTC(2024, 0, 1) / DAY_MS;

/** Year, month and day. All visits are in the same six years, so each date is written once. */
function dateOf(day: number): string {
  const date = DATES.get(day) ?? new Date(day * DAY_MS).toISOString().slice(0, 10);
  DATES.set(day, date);
  return date;
}

const DATES = new Map<number, string>();

/**
 * What was measured at each visit: the true creatinine and ACR of the day, each times lognormal noise, independent
 * between visits, as reported. Dates count back from an index visit on a day of 2024.
 */
export function measureVisits(
  random: Random,
  patient: {
    readonly sex: Sex;
    readonly trajectory: DatedGfr;
    readonly acr: number;
    readonly course: Course | null;
    readonly state: PopulationState;
  },
): MeasuredVisit[] {
  const indexDay = FIRST_INDEX_DAY + random.integer(366);
  const acrPerYear = ACR_PER_YEAR[patient.course ?? 'stable'];
  return patient.trajectory.map(({ daysBeforeIndex, age, gfr }) => {
    const creatinine = trueCreatinine({ gfr, age, sex: patient.sex });
    const factor = daysBeforeIndex <= patient.state.sinceDays ? patient.state.creatinineFactor : 1;
    const acr = patient.acr * acrPerYear ** (-daysBeforeIndex / DAYS_PER_YEAR);
    return {
      date: dateOf(indexDay - daysBeforeIndex),
      daysBeforeIndex,
      age,
      creatinineMgDl: roundToStep(creatinine * factor * Math.exp(CREATININE_LOG_SD * normal(random)), 0.01),
      acrMgPerG: reportedAcr(acr * Math.exp(ACR_LOG_SD * normal(random))),
    };
  });
}
