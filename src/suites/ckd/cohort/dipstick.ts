import { roundToStep } from '../../cohort/round-to-step.ts';

/**
 * Lower edge of dipstick grades 1 to 5 in mg albumin per g creatinine. KDIGO's rough equivalents (negative to trace
 * below 30 mg/g, trace to 1+ from 30 to 300, 1+ or more above) fix the first two or three; the others follow in the
 * steps of the usual pads. The source does not say what its grades 0 to 5 mean: read them as approximate.
 */
const DIPSTICK_EDGES = [40, 150, 500, 1500, 5000] as const;

/** How far urine concentration moves a strip, as SD of the log. Ours: from the middle of a grade, one strip in five is off. */
export const DIPSTICK_LOG_SD = 0.5;

/**
 * The grade a strip shows. `error` is what is wrong with this strip on the log scale, such as concentrated urine.
 *
 * @example
 * ```ts
 * dipstickGrade(12, 0) // => 0
 * dipstickGrade(200, 0) // => 2
 * dipstickGrade(200, -0.5) // => 1
 * ```
 */
export function dipstickGrade(acrMgPerG: number, error: number): number {
  const seen = roundToStep(acrMgPerG * Math.exp(error), 0.01);
  return DIPSTICK_EDGES.filter((edge) => seen >= edge).length;
}
