import { clinicalError } from '../../domain.ts';
import { G_CATEGORIES, gCategory } from '../equations/kdigo.ts';

export const COURSES = ['stable', 'worsening', 'improving'] as const;
export type Course = (typeof COURSES)[number];

/** True GFR at one moment before the index visit. */
export interface TrajectoryPoint {
  readonly yearsBeforeIndex: number;
  /** mL/min/1.73 m2 */
  readonly gfr: number;
}

/** A course in the numbers that decide it. */
export interface CourseNumbers {
  /** GFR at the first and at the last visit. */
  readonly first: number;
  readonly last: number;
  /** From the first to the last visit. */
  readonly years: number;
  /** Least-squares slope through all visits, in mL/min/1.73 m2 per year; a fall is positive. */
  readonly fallPerYear: () => number;
}

const RAPID_PER_YEAR = 5;
const CERTAIN_FALL = 0.3;
const FALL_WITH_CATEGORY = 0.25;
const STABLE_WITHIN = 0.2;
// Decimal inputs do not divide exactly: a fall of 30 % must not be missed for the last bit.
const ROUNDING = 1e-9;

/**
 * The course of a GFR trajectory without noise, from the first to the last visit:
 *
 * - worsening: a fall of 5 mL/min/1.73 m2 or more per year, or of 30 % or more, or of 25 % or more into a worse GFR category
 * - improving: the mirror image, that is, the trajectory run backwards is worsening
 * - stable: a change of less than 20 %, and of less than 5 per year
 * - null: anything in between, on which two readers may differ
 *
 * The speed counts as 5 or more per year when both the change from first to last visit and the least-squares slope through all visits say so, and as
 * less than 5 when both are less. A dip that has recovered is stable. Refuses fewer than three values and values of one moment.
 *
 * @example
 * ```ts
 * trueCourse([{ yearsBeforeIndex: 2, gfr: 70 }, { yearsBeforeIndex: 1, gfr: 64 }, { yearsBeforeIndex: 0, gfr: 58 }]) // => 'worsening'
 * trueCourse([{ yearsBeforeIndex: 2, gfr: 40 }, { yearsBeforeIndex: 1, gfr: 48 }, { yearsBeforeIndex: 0, gfr: 54 }]) // => 'improving'
 * trueCourse([{ yearsBeforeIndex: 2, gfr: 58 }, { yearsBeforeIndex: 1, gfr: 45 }, { yearsBeforeIndex: 0, gfr: 57 }]) // => 'stable'
 * trueCourse([{ yearsBeforeIndex: 2, gfr: 20 }, { yearsBeforeIndex: 1, gfr: 17 }, { yearsBeforeIndex: 0, gfr: 15.4 }]) // => null
 * ```
 */
export function trueCourse(trajectory: readonly TrajectoryPoint[]): Course | null {
  const points = trajectory.toSorted((a, b) => b.yearsBeforeIndex - a.yearsBeforeIndex);
  const years = points.length < 3 ? 0 : points[0]!.yearsBeforeIndex - points.at(-1)!.yearsBeforeIndex;
  if (years <= 0) {
    throw clinicalError('a course needs at least three GFR values, not all of one day', trajectory);
  }
  const [first, last] = [points[0]!.gfr, points.at(-1)!.gfr];
  return classifyCourse({ first, last, years, fallPerYear: () => fallPerYear(points) });
}

/** The same from the numbers alone. */
function classifyCourse(course: CourseNumbers): Course | null {
  if (worsens(course)) return 'worsening';
  if (worsens(backwards(course))) return 'improving';
  return isStable(course) ? 'stable' : null;
}

export function worsens({ first, last, years, fallPerYear }: CourseNumbers): boolean {
  const share = (first - last) / first;
  if (share >= CERTAIN_FALL - ROUNDING) return true;
  const isRapid = (perYear: number) => perYear >= RAPID_PER_YEAR - ROUNDING;
  if (isRapid((first - last) / years) && isRapid(fallPerYear())) return true;
  return share >= FALL_WITH_CATEGORY - ROUNDING && rank(last) > rank(first);
}

export function isStable({ first, last, years, fallPerYear }: CourseNumbers): boolean {
  const isSlow = (perYear: number) => Math.abs(perYear) < RAPID_PER_YEAR - ROUNDING;
  const isSmall = Math.abs(last / first - 1) < STABLE_WITHIN - ROUNDING;
  return isSmall && isSlow((first - last) / years) && isSlow(fallPerYear());
}

/** The course run backwards: improving is worsening in reverse. */
export function backwards({ first, last, years, fallPerYear }: CourseNumbers): CourseNumbers {
  return { first: last, last: first, years, fallPerYear: () => -fallPerYear() };
}

function rank(gfr: number): number {
  return G_CATEGORIES.indexOf(gCategory(gfr));
}

/** Time runs backwards in the points, so a fall is positive. */
function fallPerYear(points: readonly TrajectoryPoint[]): number {
  let time = 0;
  for (const { yearsBeforeIndex } of points) time += yearsBeforeIndex / points.length;
  let product = 0;
  let spread = 0;
  for (const { yearsBeforeIndex, gfr } of points) {
    product += (yearsBeforeIndex - time) * gfr;
    spread += (yearsBeforeIndex - time) ** 2;
  }
  return product / spread;
}
