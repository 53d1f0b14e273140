import { clinicalError } from '../../domains/clinical-error.ts';
import { kdigoProgression } from '../equations/progression.ts';

export const COURSES = ['stable', 'worsening', 'improving'] as const;
export type Course = (typeof COURSES)[number];

/** True GFR at one moment before the index visit. */
export interface TrajectoryPoint {
  readonly yearsBeforeIndex: number;
  /** mL/min/1.73 m2 */
  readonly gfr: number;
}

/**
 * The course of a GFR trajectory without noise, by the KDIGO 2012 definition of progression:
 *
 * - worsening: a certain drop from the first to the last value (a worse category and a fall of at least 25 %), or
 *   rapid progression (a fall of more than 5 mL/min/1.73 m2 per year) that is sustained
 * - improving: the mirror image, that is, the trajectory run backwards is worsening
 * - stable: neither
 *
 * KDIGO leaves open what "sustained" is. Here: over at least a year, and both the change from first to last value and
 * the least-squares slope through all values exceed 5 per year. A dip that has recovered is stable.
 * Refuses fewer than three values and values of one moment.
 *
 * @example
 * ```ts
 * trueCourse([{ yearsBeforeIndex: 2, gfr: 70 }, { yearsBeforeIndex: 1, gfr: 64 }, { yearsBeforeIndex: 0, gfr: 58 }]) // => 'worsening'
 * trueCourse([{ yearsBeforeIndex: 2, gfr: 40 }, { yearsBeforeIndex: 1, gfr: 48 }, { yearsBeforeIndex: 0, gfr: 54 }]) // => 'improving'
 * trueCourse([{ yearsBeforeIndex: 2, gfr: 58 }, { yearsBeforeIndex: 1, gfr: 45 }, { yearsBeforeIndex: 0, gfr: 57 }]) // => 'stable'
 * ```
 */
export function trueCourse(trajectory: readonly TrajectoryPoint[]): Course {
  const points = trajectory.toSorted((a, b) => b.yearsBeforeIndex - a.yearsBeforeIndex);
  const years = points.length < 3 ? 0 : points[0]!.yearsBeforeIndex - points.at(-1)!.yearsBeforeIndex;
  if (years <= 0) {
    throw clinicalError('a course needs at least three GFR values, not all of one day', trajectory);
  }
  const first = points[0]!.gfr;
  const last = points.at(-1)!.gfr;
  const slope = fallPerYear(points);
  if (worsens(first, last, years, slope)) return 'worsening';
  return worsens(last, first, years, -slope) ? 'improving' : 'stable';
}

function worsens(egfrBaseline: number, egfrCurrent: number, years: number, slope: number): boolean {
  const { certainDrop, rapidProgression } = kdigoProgression({ egfrBaseline, egfrCurrent, years });
  return certainDrop || (rapidProgression === true && years >= 1 && slope > 5);
}

/** Least-squares slope; time runs backwards in the points, so a fall is positive. */
function fallPerYear(points: readonly TrajectoryPoint[]): number {
  const mean = (of: (point: TrajectoryPoint) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const time = mean((point) => point.yearsBeforeIndex);
  const gfr = mean((point) => point.gfr);
  return (
    mean((point) => (point.yearsBeforeIndex - time) * (point.gfr - gfr)) /
    mean((point) => (point.yearsBeforeIndex - time) ** 2)
  );
}
