import { mean, normalCdf } from '../../../statistics/index.ts';
import type { Assessment, CkdCase } from '../case.ts';
import { ageAt, DAYS_PER_YEAR } from '../cohort/trajectory.ts';
import { COURSES, type Course, trueCourse } from '../cohort/true-course.ts';
import { ckdEpi2021 } from '../equations/ckd-epi.ts';
import { logCreatinineSd } from '../equations/variation.ts';
import { egfrObstacles } from './validity.ts';

/** Change of eGFR that variation alone can bring between two values (Front Med 2022;9:1009358). */
const REFERENCE_CHANGE = 0.165;
/** Above its knee eGFR moves with creatinine to the power 1.2; below it by less, so this is on the cautious side there. */
const EGFR_LOG_SD = 1.2 * logCreatinineSd();
const LEAST_VISITS = 3;
/** Under a year, no fall can be called sustained. */
const LEAST_YEARS = 1;
/**
 * What the dated creatinine values support. A straight line is fitted to log eGFR over time; its slope is known up to a standard error that follows from the published
 * variation of creatinine, and each slope within reach has a course by the KDIGO definition. The answer is the likeliest course, and the flip probability is the
 * chance of the others.
 *
 * A change inside the reference change value is not by itself a reason to defer: several values in a row can show that a patient is stable although no two of them could.
 *
 * @example
 * ```ts
 * const man = { age: 60, sex: 'male', creatinineMgDl: 1.6, acrMgPerG: null, dipstick: null, potassium: null, context: null } as const;
 * const visits = [[720, 1], [480, 1.2], [240, 1.4], [0, 1.6]].map(([daysBefore, creatinineMgDl]) => ({ daysBefore: daysBefore!, creatinineMgDl: creatinineMgDl! }));
 * assessCourse({ ...man, visits }).answer // => 'worsening'
 * assessCourse({ ...man, visits: visits.slice(2) }).mustDefer // => ['too_few_visits']
 * ```
 */
export function assessCourse(given: CkdCase): Assessment<Course> {
  const last = given.visits.findLast(({ creatinineMgDl }) => creatinineMgDl !== null);
  const obstacles = egfrObstacles({ ...given, creatinineMgDl: last?.creatinineMgDl ?? null });
  const points = obstacles.length > 0 ? [] : egfrOverTime(given);
  const tooLittle =
    points.length < LEAST_VISITS
      ? ['too_few_visits']
      : points[0]!.yearsBefore - points.at(-1)!.yearsBefore < LEAST_YEARS
        ? ['follow_up_under_a_year']
        : [];
  const mustDefer = obstacles.length > 0 ? obstacles : tooLittle;
  if (mustDefer.length > 0)
    return { answer: null, flipProbability: null, nearReason: 'course_uncertain', mustDefer };
  const chances = courseChances(points);
  const answer = COURSES.toSorted((a, b) => chances[b] - chances[a])[0]!;
  const change = points.at(-1)!.egfr / points[0]!.egfr - 1;
  const inside = Math.abs(change) <= REFERENCE_CHANGE;
  return {
    answer,
    flipProbability: 1 - chances[answer],
    nearReason: inside ? 'change_inside_reference_change_value' : 'course_uncertain',
    mustDefer,
  };
}

interface Point {
  readonly yearsBefore: number;
  readonly egfr: number;
}

function egfrOverTime({ visits, age, sex }: CkdCase): Point[] {
  return visits.flatMap(({ daysBefore, creatinineMgDl }) => {
    const egfr = ckdEpi2021({ creatinineMgDl, age: ageAt(age!, daysBefore), sex });
    return egfr === null ? [] : [{ yearsBefore: daysBefore / DAYS_PER_YEAR, egfr }];
  });
}

function courseChances(points: readonly Point[]): Record<Course, number> {
  const time = mean(points.map(({ yearsBefore }) => yearsBefore))!;
  const level = mean(points.map(({ egfr }) => Math.log(egfr)))!;
  const spread = points.reduce((sum, { yearsBefore }) => sum + (yearsBefore - time) ** 2, 0);
  const fall =
    points.reduce((sum, { yearsBefore, egfr }) => sum + (yearsBefore - time) * (Math.log(egfr) - level), 0) /
    spread;
  const error = EGFR_LOG_SD / Math.sqrt(spread);
  const courseAt = (rate: number) =>
    trueCourse(
      points.map(({ yearsBefore }) => ({
        yearsBeforeIndex: yearsBefore,
        gfr: Math.exp(level + rate * (yearsBefore - time)),
      })),
    );
  // The steeper the fall the worse the course, so two rates part the three courses.
  const worsening = 1 - normalCdf((boundary((rate) => courseAt(rate) === 'worsening') - fall) / error);
  const improving = normalCdf((-boundary((rate) => courseAt(-rate) === 'improving') - fall) / error);
  return { stable: 1 - worsening - improving, worsening, improving };
}

/** The smallest rate, in logs per year, at which the condition holds; at 3, a twentieth of the GFR is left after a year. */
function boundary(holds: (rate: number) => boolean): number {
  let low = 0;
  let high = 3;
  while (high - low > 1e-4) {
    const middle = (low + high) / 2;
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return high;
}
