import { clinicalError } from '../../domain.ts';
import { G_CATEGORIES, gCategory } from './kdigo.ts';

// Decimal inputs do not divide exactly: a fall of 25 % must not be missed for the last bit.
const ROUNDING = 1e-9;

/** Relative change, and change in mL/min/1.73 m2 per year, in which a course is near a line: from KDIGO's variation of 20 % to the lines of 25 and 30 %, and 5 a year. */
const NEAR_CHANGE = { from: 0.17, to: 0.33 } as const;
const NEAR_SLOPE = { from: 4.5, to: 5.5 } as const;

/** Whether a course is near a line, and near which. */
export interface ProgressionNearLine {
  /** Null where the course is not known. */
  readonly nearLine: boolean | null;
  readonly lines: readonly ('relative_change' | 'slope')[];
  readonly reason: 'missing_course' | null;
}

/**
 * Whether the course of eGFR is too near a line to be named: a relative change of 17 to 33 % or a slope of 4.5 to 5.5 mL/min/1.73 m2 per year, unless the other of the two has settled
 * it in the same direction. A fall is negative.
 *
 * @example
 * ```ts
 * progressionNearLine({ relativeChange: -0.18, slope: -3 }).lines // => ['relative_change']
 * progressionNearLine({ relativeChange: -0.21, slope: -9 }).nearLine // => false
 * progressionNearLine({ relativeChange: null, slope: -3 }).reason // => 'missing_course'
 * ```
 */
export function progressionNearLine(course: {
  readonly relativeChange: number | null;
  readonly slope: number | null;
}): ProgressionNearLine {
  const { relativeChange, slope } = course;
  if (relativeChange === null || slope === null)
    return { nearLine: null, lines: [], reason: 'missing_course' };
  const isSameDirection = relativeChange * slope > 0;
  const settledByChange = isSameDirection && Math.abs(relativeChange) > NEAR_CHANGE.to + ROUNDING;
  const settledBySlope = isSameDirection && Math.abs(slope) > NEAR_SLOPE.to + ROUNDING;
  const lines: ('relative_change' | 'slope')[] = [];
  if (isBetween(relativeChange, NEAR_CHANGE) && !settledBySlope) lines.push('relative_change');
  if (isBetween(slope, NEAR_SLOPE) && !settledByChange) lines.push('slope');
  return { nearLine: lines.length > 0, lines, reason: null };
}

function isBetween(value: number, { from, to }: { readonly from: number; readonly to: number }): boolean {
  return Math.abs(value) >= from - ROUNDING && Math.abs(value) <= to + ROUNDING;
}

/**
 * The KDIGO descriptors of change between two eGFR values some years apart. A fall is positive, a rise negative.
 *
 * - certain drop: category drop and a fall of at least 25 % (KDIGO 2012, 2.1.3)
 * - rapid progression: more than 5 mL/min/1.73 m2 per year (KDIGO 2012, 2.1.3); "sustained" needs more than two values
 * - beyond expected variability: a change of more than 20 % (KDIGO 2024, practice point 2.1.3)
 *
 * @example
 * ```ts
 * kdigoProgression({ egfrBaseline: 60, egfrCurrent: 45, years: 1 }).certainDrop // => true
 * kdigoProgression({ egfrBaseline: 59, egfrCurrent: 44, years: 3 }).annualDecline // => 5
 * kdigoProgression({ egfrBaseline: 59, egfrCurrent: 44, years: 3 }).rapidProgression // => false
 * kdigoProgression({ egfrBaseline: 50, egfrCurrent: 40, years: 2 }).exceedsExpectedVariability // => false
 * ```
 */
export function kdigoProgression(change: {
  readonly egfrBaseline: number;
  readonly egfrCurrent: number;
  readonly years: number;
}) {
  const { egfrBaseline, egfrCurrent, years } = change;
  if (!Number.isFinite(years) || years < 0) {
    throw clinicalError(`years is ${years}; expected the time from baseline to now, 0 or more`, years);
  }
  const rank = (egfr: number) => G_CATEGORIES.indexOf(gCategory(egfr));
  const categoryDrop = rank(egfrCurrent) > rank(egfrBaseline);
  const fall = egfrBaseline - egfrCurrent;
  const relativeDecline = egfrBaseline > 0 ? fall / egfrBaseline : null;
  const annualDecline = years > 0 ? fall / years : null;
  return {
    /** The GFR category got worse (3a to 3b counts). */
    categoryDrop,
    /** (baseline - current) / baseline; null when the baseline is 0. */
    relativeDecline,
    /** A category drop together with a fall of 25 % or more. */
    certainDrop: categoryDrop && relativeDecline !== null && relativeDecline >= 0.25 - ROUNDING,
    /** Fall in mL/min/1.73 m2 per year; null when no time has passed. */
    annualDecline,
    /** A fall of more than 5 mL/min/1.73 m2 per year; null when no time has passed. */
    rapidProgression: annualDecline === null ? null : annualDecline > 5 + ROUNDING,
    /** A change in either direction of more than 20 %. */
    exceedsExpectedVariability:
      relativeDecline === null ? egfrCurrent > 0 : Math.abs(relativeDecline) > 0.2 + ROUNDING,
  };
}
