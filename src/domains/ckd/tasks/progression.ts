import { normalCdf } from '../../../statistics/special-functions.ts';
import { answered, noAnswer, type Verdict } from '../../cohort/verdict.ts';
import { type CkdCase, egfrObstacles } from '../case.ts';
import { DAYS_PER_YEAR } from '../cohort/trajectory.ts';
import {
  backwards,
  COURSES,
  type Course,
  type CourseNumbers,
  isStable,
  worsens,
} from '../cohort/true-course.ts';
import { ckdEpi2021 } from '../equations/ckd-epi.ts';
import { progressionNearLine } from '../equations/progression.ts';
import { logEgfrSd } from '../equations/variation.ts';

const MIN_VISITS = 3;
/** Under a year, no fall can be called sustained. */
const MIN_YEARS = 1;

/**
 * What the dated creatinine values support. A straight line is fitted to log eGFR over time; its slope is known up to a standard error that follows from the published
 * variation of creatinine at each visit, and each slope within reach has a course by the definition of `trueCourse`. The suite leaves out people whose true course lies between the
 * definitions, so the chances of the three courses are taken to sum to one. The answer is the likeliest course, and the flip probability is the chance of the others.
 *
 * The course shown is near a line by the relative change from the first to the last value and the least-squares slope through all of them (`progressionNearLine`). A course that is near no line is
 * not deferred, however uncertain: a high flip probability leaves it unlabelled.
 *
 * @example
 * ```ts
 * const man = { age: 60, sex: 'male', creatinineMgDl: 1.6, acrMgPerG: null, dipstick: null, potassium: null, sodium: null, haemoglobin: null, context: null } as const;
 * const visits = [[720, 1], [480, 1.2], [240, 1.4], [0, 1.6]].map(([daysBefore, creatinineMgDl]) => ({ daysBefore: daysBefore!, age: 60, creatinineMgDl: creatinineMgDl! }));
 * assessCourse({ ...man, visits }).answer // => 'worsening'
 * assessCourse({ ...man, visits: visits.slice(2) }).reasons // => ['too_few_visits']
 * ```
 */
export function assessCourse(given: CkdCase): Verdict<Course> {
  const last = given.visits.findLast(({ creatinineMgDl }) => creatinineMgDl !== null);
  const obstacles = egfrObstacles({ ...given, creatinineMgDl: last?.creatinineMgDl ?? null });
  const points = obstacles.length > 0 ? [] : egfrOverTime(given);
  const tooLittle =
    points.length < MIN_VISITS
      ? ['too_few_visits']
      : points[0]!.yearsBefore - points.at(-1)!.yearsBefore < MIN_YEARS
        ? ['follow_up_under_a_year']
        : [];
  const mustDefer = obstacles.length > 0 ? obstacles : tooLittle;
  if (mustDefer.length > 0) return noAnswer(...mustDefer);
  const chances = courseChances(points);
  const answer = COURSES.toSorted((a, b) => chances[b] - chances[a])[0]!;
  const relativeChange = points.at(-1)!.egfr / points[0]!.egfr - 1;
  const { nearLine } = progressionNearLine({ relativeChange, slope: slopePerYear(points) });
  return answered(answer, 1 - chances[answer], {
    near: 'near_progression_line',
    isNear: nearLine === true,
  });
}

/** Least-squares slope of eGFR in mL/min/1.73 m2 per year; a fall is negative. */
function slopePerYear(points: readonly Point[]): number {
  const meanTime = points.reduce((sum, { yearsBefore }) => sum + yearsBefore, 0) / points.length;
  let product = 0;
  let spread = 0;
  for (const { yearsBefore, egfr } of points) {
    product += (meanTime - yearsBefore) * egfr;
    spread += (meanTime - yearsBefore) ** 2;
  }
  return product / spread;
}

interface Point {
  readonly yearsBefore: number;
  readonly egfr: number;
  /** SD of the log of this value. */
  readonly sd: number;
}

function egfrOverTime({ visits, sex }: CkdCase): Point[] {
  return visits.flatMap(({ daysBefore, age, creatinineMgDl }) => {
    const egfr = ckdEpi2021({ creatinineMgDl, age, sex });
    if (egfr === null) return [];
    return [{ yearsBefore: daysBefore / DAYS_PER_YEAR, egfr, sd: logEgfrSd(creatinineMgDl!, sex!) }];
  });
}

function courseChances(points: readonly Point[]): Record<Course, number> {
  const meanTime = points.reduce((sum, { yearsBefore }) => sum + yearsBefore, 0) / points.length;
  const level = points.reduce((sum, { egfr }) => sum + Math.log(egfr), 0) / points.length;
  const times = points.map(({ yearsBefore }) => yearsBefore - meanTime);
  const spread = times.reduce((sum, time) => sum + time ** 2, 0);
  const fall = points.reduce((sum, { egfr }, i) => sum + times[i]! * (Math.log(egfr) - level), 0) / spread;
  // Each value brings its own error: that of the least-squares slope follows from them.
  const error = Math.sqrt(points.reduce((sum, { sd }, i) => sum + (times[i]! * sd) ** 2, 0)) / spread;
  const years = times[0]! - times.at(-1)!;
  const at = (rate: number): CourseNumbers => {
    const slope = () => {
      let sum = 0;
      for (const time of times) sum += (time * Math.exp(level + rate * time)) / spread;
      return sum;
    };
    const [first, last] = [Math.exp(level + rate * times[0]!), Math.exp(level + rate * times.at(-1)!)];
    return { first, last, years, fallPerYear: slope };
  };
  // The steeper the fall the worse the course, so four rates part improving, in between, stable, in between and worsening. A fall of 30 % is always worsening.
  const steepest = -Math.log(0.69) / years;
  const rate = (holds: (rate: number) => boolean) => boundary(holds, steepest);
  const below = (edge: number) => normalCdf((edge - fall) / error);
  const worsening = below(2 * fall - rate((r) => worsens(at(r))));
  const improving = below(-rate((r) => worsens(backwards(at(-r)))));
  const stable = below(rate((r) => !isStable(at(r)))) - below(-rate((r) => !isStable(at(-r))));
  const sum = stable + worsening + improving;
  return { stable: stable / sum, worsening: worsening / sum, improving: improving / sum };
}

/** The smallest rate, in logs per year, at which the condition holds; it holds at `high`. */
function boundary(holds: (rate: number) => boolean, high: number): number {
  let low = 0;
  while (high - low > 1e-10) {
    const middle = (low + high) / 2;
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return high;
}
