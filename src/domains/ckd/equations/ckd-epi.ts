/** Sex as the equation knows it: it was fitted with these two levels and has no third. */
export type Sex = 'female' | 'male';

/** What the equation needs. A missing one gives no estimate, never a guess. */
export interface CreatinineReading {
  /** Serum creatinine in mg/dL, by a method traceable to IDMS. */
  readonly creatinineMgDl: number | null;
  readonly age: number | null;
  readonly sex: Sex | null;
}

/** The equation was fitted on adults. */
export const ADULT_AGE = 18;

const KINK = { female: { kappa: 0.7, alpha: -0.241 }, male: { kappa: 0.9, alpha: -0.302 } } as const;
const SLOPE_ABOVE_KINK = -1.2;

/**
 * The exponent with which eGFR moves with creatinine here: -1.2 above the knee, -0.241 (women) or -0.302 (men) below it.
 *
 * @example
 * ```ts
 * localExponent(1.4, 'male') // => -1.2
 * localExponent(0.6, 'female') // => -0.241
 * ```
 */
export function localExponent(creatinineMgDl: number, sex: Sex): number {
  const { kappa, alpha } = KINK[sex];
  return creatinineMgDl < kappa ? alpha : SLOPE_ABOVE_KINK;
}

/** The estimate at creatinine = kappa, where both power laws meet. */
function egfrAtKink(age: number, sex: Sex): number {
  return 142 * 0.9938 ** age * (sex === 'female' ? 1.012 : 1);
}

/**
 * Estimated GFR in mL/min/1.73 m2 by the race-free CKD-EPI 2021 creatinine equation, unrounded:
 *
 *     142 * min(Scr/k, 1)^a * max(Scr/k, 1)^-1.200 * 0.9938^age * (1.012 if female)
 *     k = 0.7 (female), 0.9 (male); a = -0.241 (female), -0.302 (male)
 *
 * Null where there is no estimate: age under 18, an input missing, or a creatinine that is not a positive number.
 * Source: Inker et al., N Engl J Med 2021;385:1737-1749.
 *
 * @example
 * ```ts
 * ckdEpi2021({ creatinineMgDl: 0.9, age: 18, sex: 'male' }) // => 142 * 0.9938 ** 18
 * ckdEpi2021({ creatinineMgDl: 0.6, age: 8, sex: 'male' }) // => null
 * ```
 */
export function ckdEpi2021({ creatinineMgDl, age, sex }: CreatinineReading): number | null {
  if (!isPositive(creatinineMgDl) || !isAdult(age) || sex === null) return null;
  const { kappa, alpha } = KINK[sex];
  const ratio = creatinineMgDl / kappa;
  return egfrAtKink(age, sex) * ratio ** (ratio < 1 ? alpha : SLOPE_ABOVE_KINK);
}

/**
 * The creatinine (mg/dL) at which `ckdEpi2021` gives this eGFR: its exact inverse, since the equation falls strictly
 * with creatinine. Null where the equation itself has no answer.
 *
 * @example
 * ```ts
 * creatinineForEgfr({ egfr: 142 * 0.9938 ** 50, age: 50, sex: 'male' }) // => 0.9
 * creatinineForEgfr({ egfr: 100, age: 12, sex: 'female' }) // => null
 * ```
 */
export function creatinineForEgfr(from: {
  readonly egfr: number | null;
  readonly age: number | null;
  readonly sex: Sex | null;
}): number | null {
  const { egfr, age, sex } = from;
  if (!isPositive(egfr) || !isAdult(age) || sex === null) return null;
  const { kappa, alpha } = KINK[sex];
  const ratio = egfr / egfrAtKink(age, sex);
  return kappa * ratio ** (1 / (ratio > 1 ? alpha : SLOPE_ABOVE_KINK));
}

const UMOL_PER_MG_DL = 88.4;

/**
 * Creatinine in mg/dL from umol/L (divide by 88.4).
 *
 * @example
 * ```ts
 * umolToMgDl(88.4) // => 1
 * ```
 */
export function umolToMgDl(creatinineUmolL: number): number {
  return creatinineUmolL / UMOL_PER_MG_DL;
}

function isPositive(value: number | null): value is number {
  return value !== null && Number.isFinite(value) && value > 0;
}

function isAdult(age: number | null): age is number {
  return age !== null && Number.isFinite(age) && age >= ADULT_AGE;
}
