import { ADULT_AGE, ckdEpi2021, type Sex } from './equations/ckd-epi.ts';

/** States in which CKD-EPI cannot estimate GFR from creatinine, as the record words them. */
export const CONTEXTS = {
  pregnant: 'pregnant',
  dialysis: 'on maintenance haemodialysis',
  acuteKidneyInjury: 'acute illness, creatinine rising over the last days',
  extremeMuscleMass: 'muscle mass far from usual (body building or severe wasting)',
  amputation: 'amputation of both legs above the knee',
} as const;
export type Context = keyof typeof CONTEXTS;

/** What can be read off a record, by a model or by a rule: the labels of detection and staging are functions of this and of nothing else. */
export interface CkdCase {
  readonly age: number | null;
  readonly sex: Sex | null;
  readonly creatinineMgDl: number | null;
  /** Null when not measured, or when the source has none. */
  readonly acrMgPerG: number | null;
  /** Urine albumin by dipstick, 0 to 5. */
  readonly dipstick: number | null;
  /** True when urine red cells are reported abnormal: a marker of kidney damage, or of an infected bladder. */
  readonly urineRedCells?: boolean;
  readonly potassium: number | null;
  readonly sodium: number | null;
  readonly haemoglobin: number | null;
  readonly context: Context | null;
  /** Oldest first; empty where one visit is all there is. */
  readonly visits: readonly {
    /** Days before the last visit. */
    readonly daysBefore: number;
    /** Whole years at that visit. */
    readonly age: number | null;
    readonly creatinineMgDl: number | null;
  }[];
}

/** Why CKD-EPI does not apply to this person, or cannot be computed: reasons to defer on anything that rests on eGFR. */
export function egfrObstacles({ age, sex, creatinineMgDl, context }: CkdCase): string[] {
  return [
    ...(creatinineMgDl === null ? ['missing_creatinine'] : []),
    ...(age === null ? ['missing_age'] : []),
    ...(sex === null ? ['missing_sex'] : []),
    ...(age !== null && age < ADULT_AGE ? ['child'] : []),
    ...(context === null ? [] : [CONTEXT_REASONS[context]]),
  ];
}

const CONTEXT_REASONS = {
  pregnant: 'pregnancy',
  dialysis: 'dialysis',
  acuteKidneyInjury: 'acute_kidney_injury',
  extremeMuscleMass: 'extreme_muscle_mass',
  amputation: 'amputation',
} as const;

/** Potassium from which the heart is in danger whatever else holds, mEq/L. */
const DANGEROUS_POTASSIUM = 6.5;
/** Sodium in mEq/L and haemoglobin in g/dL beyond which a patient is treated today. */
const MIN_SODIUM = 120;
const MAX_SODIUM = 160;
const MIN_HAEMOGLOBIN = 7;
/** eGFR below which kidney replacement must be planned or begun: a design choice, well inside G5. */
const FAILURE_EGFR = 10;

/**
 * Why this case needs action now, so that abstaining is unsafe: potassium of 6.5 mEq/L or more, sodium below 120 or above 160 mEq/L, haemoglobin below 7 g/dL, or kidney
 * failure without dialysis (eGFR below 10). Empty when none holds.
 *
 * @example
 * ```ts
 * mustActReasons({ age: 60, sex: 'male', creatinineMgDl: 1, acrMgPerG: 5, dipstick: 0, potassium: 6.8, sodium: 140, haemoglobin: 14, context: null, visits: [] })
 * // => ['potassium_6.5_or_more']
 * ```
 */
export function mustActReasons(given: CkdCase): string[] {
  const egfr = ckdEpi2021(given);
  const { potassium, sodium, haemoglobin, context } = given;
  const reasons: string[] = [];
  if (potassium !== null && potassium >= DANGEROUS_POTASSIUM) reasons.push('potassium_6.5_or_more');
  if (sodium !== null && sodium < MIN_SODIUM) reasons.push('sodium_below_120');
  if (sodium !== null && sodium > MAX_SODIUM) reasons.push('sodium_above_160');
  if (haemoglobin !== null && haemoglobin < MIN_HAEMOGLOBIN) reasons.push('haemoglobin_below_7');
  if (egfr !== null && egfr < FAILURE_EGFR && context !== 'dialysis') reasons.push('egfr_below_10');
  return reasons;
}
