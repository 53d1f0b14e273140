import { clinicalError } from '../../domains/clinical-error.ts';
import { G_CATEGORIES, gCategory } from './kdigo.ts';

/** What happened between two eGFR values. A fall is positive, a rise negative. */
export interface KdigoProgression {
  /** The GFR category got worse (3a to 3b counts). */
  readonly categoryDrop: boolean;
  /** (baseline - current) / baseline; null when the baseline is 0. */
  readonly relativeDecline: number | null;
  /** A category drop together with a fall of 25 % or more. */
  readonly certainDrop: boolean;
  /** Fall in mL/min/1.73 m2 per year; null when no time has passed. */
  readonly annualDecline: number | null;
  /** A fall of more than 5 mL/min/1.73 m2 per year; null when no time has passed. */
  readonly rapidProgression: boolean | null;
  /** A change in either direction of more than 20 %. */
  readonly exceedsExpectedVariability: boolean;
}

// Decimal inputs do not divide exactly: a fall of 25 % must not be missed for the last bit.
const ROUNDING = 1e-9;

/**
 * The KDIGO descriptors of change between two eGFR values some years apart.
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
}): KdigoProgression {
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
    categoryDrop,
    relativeDecline,
    certainDrop: categoryDrop && relativeDecline !== null && relativeDecline >= 0.25 - ROUNDING,
    annualDecline,
    rapidProgression: annualDecline === null ? null : annualDecline > 5 + ROUNDING,
    exceedsExpectedVariability:
      relativeDecline === null ? egfrCurrent > 0 : Math.abs(relativeDecline) > 0.2 + ROUNDING,
  };
}
