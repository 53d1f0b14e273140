import type { Random } from '../../../statistics/random.ts';
import { chance, choose, normal, roundToStep, uniform } from '../../cohort/distributions.ts';
import type { Sex } from '../equations/ckd-epi.ts';
import type { Group } from './groups.ts';
import { gfrCeiling } from './kidney-function.ts';
import type { Course } from './true-course.ts';

/** Days before the index visit, the age in whole years and the true GFR on that day, oldest first; the last is day 0. */
export type DatedGfr = readonly {
  readonly daysBeforeIndex: number;
  readonly age: number;
  readonly gfr: number;
}[];

/**
 * The visits and the true GFR at each, ending in the GFR of the index visit.
 *
 * Assumptions (design choices: the task needs all three courses, no epidemiology is meant):
 *
 * - Visits: 4 to 8 over 1 to 5 years, evenly spaced with each inner one moved by up to 30 % of the spacing. The birthday is any day of the year.
 * - Course meant: by the weights below. What it really is, `trueCourse` says, from the values.
 * - Worsening and improving: half by rate, 5.3 to 12 mL/min/1.73 m2 per year, half by share, 26 to 50 % of the higher
 *   value over the whole time.
 * - Stable: two of three lose 0.8 per year (SD 1), about the loss of age; one of three changes by up to 4.5 per year
 *   either way; both in proportion to GFR below 60. One of six has a dip of 15 to 35 % at one inner visit, recovered by the next.
 * - Shape: the change grows with the p-th power of time, p from 0.7 to 1.4.
 * - No GFR under 4 or over the ceiling of the age at the first visit: a change that would need one is made smaller.
 */
export function drawTrajectory(
  random: Random,
  index: { readonly gfr: number; readonly age: number; readonly sex: Sex; readonly group: Group },
): DatedGfr {
  const days = drawDays(random);
  const span = days[0]!;
  const years = span / DAYS_PER_YEAR;
  const course = choose(random, courseWeights(index.gfr, index.group));
  const wanted = drawChange(random, course, index.gfr, years);
  const power = uniform(random, 0.7, 1.4);
  const dipDepth = uniform(random, 0.15, 0.35);
  const dipAt = 1 + random.integer(days.length - 2);
  const dips = chance(random, 1 / 6) && course === 'stable';
  const sinceBirthday = random.integer(365);
  const ageAt = (daysBefore: number) => Math.floor(index.age + (sinceBirthday - daysBefore) / DAYS_PER_YEAR);
  const most = Math.max(0, gfrCeiling(ageAt(span), index.sex) - index.gfr);
  const change = Math.min(most, Math.max(LOWEST_GFR - index.gfr, wanted));

  return days.map((daysBeforeIndex, i) => {
    const age = ageAt(daysBeforeIndex);
    if (daysBeforeIndex === 0) return { daysBeforeIndex, age, gfr: index.gfr };
    const undisturbed = index.gfr + change * (daysBeforeIndex / span) ** power;
    const gfr = dips && i === dipAt ? undisturbed * (1 - dipDepth) : undisturbed;
    return { daysBeforeIndex, age, gfr: roundToStep(Math.max(LOWEST_GFR, gfr), 0.01) };
  });
}

export const DAYS_PER_YEAR = 365.25;
const LOWEST_GFR = 4;

function courseWeights(gfr: number, group: Group): Readonly<Record<Course, number>> {
  // Recovery is the exception in chronic disease, and from G5 there is hardly any way back.
  if (group === 'healthy') return { stable: 0.66, worsening: 0.22, improving: 0.12 };
  if (gfr < 15) return { stable: 0.35, worsening: 0.62, improving: 0.03 };
  return { stable: 0.42, worsening: 0.43, improving: 0.15 };
}

/** How much higher (worsening) or lower GFR was at the first visit. */
function drawChange(random: Random, course: Course, gfr: number, years: number): number {
  const byRate = chance(random, 0.5);
  const rate = uniform(random, 5.3, 12) * years;
  const share = uniform(random, 0.26, 0.5);
  const usual = (0.8 + normal(random)) * years;
  const unusual = uniform(random, -4.5, 4.5) * years;
  const isUsual = chance(random, 2 / 3);
  if (course === 'worsening') return byRate ? rate : gfr / (1 - share) - gfr;
  if (course === 'improving') return byRate ? -rate : -gfr * share;
  return (isUsual ? usual : unusual) * Math.min(1, gfr / 60);
}

function drawDays(random: Random): number[] {
  const visits = 4 + random.integer(5);
  const span = 366 + random.integer(4 * 365);
  const spacing = span / (visits - 1);
  return Array.from({ length: visits }, (_, i) => {
    if (i === visits - 1) return 0;
    const jitter = i === 0 ? 0 : uniform(random, -0.3, 0.3);
    return Math.round(span - (i + jitter) * spacing);
  });
}
