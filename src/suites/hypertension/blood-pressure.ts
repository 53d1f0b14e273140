import { clinicalError } from '../domains/clinical-error.ts';

/** ACC/AHA 2017 categories, mildest first. */
const ACC_AHA_CATEGORIES = ['normal', 'elevated', 'stage_1', 'stage_2'] as const;
export type AccAhaCategory = (typeof ACC_AHA_CATEGORIES)[number];

/** ESC 2024 categories, mildest first. */
const ESC_CATEGORIES = ['non_elevated', 'elevated', 'hypertension'] as const;
export type EscCategory = (typeof ESC_CATEGORIES)[number];

/**
 * The ACC/AHA 2017 category (kept in 2025) of an office reading in mmHg. The higher of the two wins:
 *
 *     normal < 120 and < 80;  elevated [120, 130) and < 80;  stage 1 [130, 140) or [80, 90);  stage 2 >= 140 or >= 90
 *
 * A reading in the severe range is stage 2 here; `isSevereRange` marks it. A diagnosis needs the mean of at least two
 * readings on at least two occasions.
 *
 * @example
 * ```ts
 * accAha2017(129, 79) // => 'elevated'
 * accAha2017(115, 80) // => 'stage_1'
 * accAha2017(118, 90) // => 'stage_2'
 * ```
 */
export function accAha2017(systolic: number, diastolic: number): AccAhaCategory {
  mustBeReading(systolic, diastolic);
  if (systolic >= 140 || diastolic >= 90) return 'stage_2';
  if (systolic >= 130 || diastolic >= 80) return 'stage_1';
  return systolic >= 120 ? 'elevated' : 'normal';
}

/**
 * The ESC 2024 category of an office reading in mmHg. The higher of the two wins:
 *
 *     non-elevated < 120 and < 70;  elevated [120, 140) or [70, 90);  hypertension >= 140 or >= 90
 *
 * Source: McEvoy et al., Eur Heart J 2024;45:3912.
 *
 * @example
 * ```ts
 * esc2024(119, 69) // => 'non_elevated'
 * esc2024(135, 85) // => 'elevated'
 * esc2024(130, 90) // => 'hypertension'
 * ```
 */
export function esc2024(systolic: number, diastolic: number): EscCategory {
  mustBeReading(systolic, diastolic);
  if (systolic >= 140 || diastolic >= 90) return 'hypertension';
  return systolic >= 120 || diastolic >= 70 ? 'elevated' : 'non_elevated';
}

/**
 * Above 180 systolic or 120 diastolic (ACC/AHA): with symptoms an emergency, where waiting is unsafe.
 *
 * @example
 * ```ts
 * isSevereRange(180, 120) // => false
 * isSevereRange(150, 121) // => true
 * ```
 */
export function isSevereRange(systolic: number, diastolic: number): boolean {
  mustBeReading(systolic, diastolic);
  return systolic > 180 || diastolic > 120;
}

function mustBeReading(systolic: number, diastolic: number): void {
  for (const [side, value] of Object.entries({ systolic, diastolic })) {
    if (Number.isFinite(value) && value > 0) continue;
    throw clinicalError(`${side} pressure is ${value}; expected a number of mmHg above 0`, value);
  }
}
