import { clinicalError } from '../domain.ts';

/** The guidelines that the suites know, each with its version. */
export const GUIDELINES = ['acc_aha_2025', 'esc_2024'] as const;
/** A guideline with its version. */
export type BpGuideline = (typeof GUIDELINES)[number];

/** Systolic and diastolic pressure in mmHg. */
export type Pressure = readonly [sbp: number, dbp: number];

/** ACC/AHA categories (2017, kept in 2025), mildest first. */
const ACC_AHA_CATEGORIES = ['normal', 'elevated', 'stage_1', 'stage_2'] as const;

/** ESC 2024 categories, mildest first. */
const ESC_CATEGORIES = ['non_elevated', 'elevated', 'hypertension'] as const;

/**
 * The ACC/AHA 2017 category (kept in 2025) of an office reading in mmHg. The higher of the two wins:
 *
 *     normal < 120 and < 80;  elevated [120, 130) and < 80;  stage 1 [130, 140) or [80, 90);  stage 2 >= 140 or >= 90
 *
 * A reading in the severe range is stage 2 here; `isSevere` marks it. A diagnosis needs the mean of at least two
 * readings on at least two occasions.
 *
 * @example
 * ```ts
 * accAha2017(129, 79) // => 'elevated'
 * accAha2017(115, 80) // => 'stage_1'
 * accAha2017(118, 90) // => 'stage_2'
 * ```
 */
export function accAha2017(systolic: number, diastolic: number) {
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
export function esc2024(systolic: number, diastolic: number) {
  mustBeReading(systolic, diastolic);
  if (systolic >= 140 || diastolic >= 90) return 'hypertension';
  return systolic >= 120 || diastolic >= 70 ? 'elevated' : 'non_elevated';
}

/** The categories of each guideline, mildest first. */
export const CATEGORIES: Readonly<Record<BpGuideline, readonly BpCategory[]>> = {
  acc_aha_2025: ACC_AHA_CATEGORIES,
  esc_2024: ESC_CATEGORIES,
};
export type BpCategory = (typeof ACC_AHA_CATEGORIES | typeof ESC_CATEGORIES)[number];

/**
 * The category of an office mean. Limits are half-open and apply to the unrounded mean.
 *
 * @example
 * ```ts
 * bpCategory([134, 78], 'acc_aha_2025') // => 'stage_1'
 * bpCategory([134, 78], 'esc_2024') // => 'elevated'
 * ```
 */
export function bpCategory([sbp, dbp]: Pressure, guideline: BpGuideline): BpCategory {
  return guideline === 'acc_aha_2025' ? accAha2017(sbp, dbp) : esc2024(sbp, dbp);
}

/** Where and when a pressure was measured. */
export const SETTINGS = ['office', 'home', 'ambulatory_day', 'ambulatory_24h', 'ambulatory_night'] as const;
export type BpSetting = (typeof SETTINGS)[number];

/** From these values on, pressure is high. */
export const HIGH_FROM: Readonly<Record<BpGuideline, Readonly<Record<BpSetting, Pressure>>>> = {
  acc_aha_2025: {
    office: [130, 80],
    home: [130, 80],
    ambulatory_day: [130, 80],
    ambulatory_24h: [125, 75],
    ambulatory_night: [110, 65],
  },
  esc_2024: {
    office: [140, 90],
    home: [135, 85],
    ambulatory_day: [135, 85],
    ambulatory_24h: [130, 80],
    ambulatory_night: [120, 70],
  },
};

/**
 * Whether a mean is in the range of hypertension, by where it was measured.
 *
 * @example
 * ```ts
 * isHigh([126, 70], 'acc_aha_2025', 'ambulatory_24h') // => true
 * isHigh([134, 84], 'esc_2024', 'home') // => false
 * ```
 */
export function isHigh([sbp, dbp]: Pressure, guideline: BpGuideline, setting: BpSetting): boolean {
  mustBeReading(sbp, dbp);
  const [systolic, diastolic] = HIGH_FROM[guideline][setting];
  return sbp >= systolic || dbp >= diastolic;
}

/**
 * Whether a pressure is severe: above 180 or 120 (ACC/AHA), from 180 or 110 on (ESC), from 160 or 110 on in pregnancy.
 *
 * @example
 * ```ts
 * isSevere([180, 120], 'acc_aha_2025') // => false
 * isSevere([180, 80], 'esc_2024') // => true
 * isSevere([162, 98], 'acc_aha_2025', true) // => true
 * ```
 */
export function isSevere([sbp, dbp]: Pressure, guideline: BpGuideline, pregnant = false): boolean {
  mustBeReading(sbp, dbp);
  if (pregnant) return sbp >= 160 || dbp >= 110;
  return guideline === 'esc_2024' ? sbp >= 180 || dbp >= 110 : sbp > 180 || dbp > 120;
}

/** What may turn a severe pressure into an emergency. Null: not recorded. */
export interface Danger {
  readonly organDamage: boolean | null;
  readonly pregnant: boolean | null;
}

/**
 * Why silence about a pressure is unsafe. Organ damage below the severe line is not among the reasons.
 *
 * @example
 * ```ts
 * bpMustAct([204, 118], { organDamage: true, pregnant: false }, 'acc_aha_2025') // => ['hypertensive_emergency']
 * bpMustAct([162, 98], { organDamage: null, pregnant: true }, 'acc_aha_2025') // => ['severe_hypertension_in_pregnancy']
 * bpMustAct([178, 98], { organDamage: true, pregnant: false }, 'acc_aha_2025') // => []
 * ```
 */
export function bpMustAct(bp: Pressure, { organDamage, pregnant }: Danger, guideline: BpGuideline): string[] {
  if (!isSevere(bp, guideline, pregnant === true)) return [];
  if (pregnant === true) return ['severe_hypertension_in_pregnancy'];
  return [organDamage === true ? 'hypertensive_emergency' : 'severe_hypertension'];
}

function mustBeReading(systolic: number, diastolic: number): void {
  mustBePressure('systolic', systolic);
  mustBePressure('diastolic', diastolic);
}

function mustBePressure(side: string, value: number): void {
  if (Number.isFinite(value) && value > 0) return;
  throw clinicalError(`${side} pressure is ${value}; expected a number of mmHg above 0`, value);
}
