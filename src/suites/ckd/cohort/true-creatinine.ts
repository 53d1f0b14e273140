import { creatinineForEgfr, type Sex } from '../equations/ckd-epi.ts';

/**
 * The creatinine (mg/dL) a person with this GFR has, without noise: CKD-EPI 2021 turned round, and in children the
 * bedside Schwartz equation, GFR = 0.413 height / creatinine (Schwartz et al., J Am Soc Nephrol 2009;20:629).
 *
 * @example
 * ```ts
 * trueCreatinine({ gfr: 142 * 0.9938 ** 50, age: 50, sex: 'male' }) // => 0.9
 * trueCreatinine({ gfr: 82.6, age: 7, sex: 'female' }) // => 0.61
 * ```
 */
export function trueCreatinine(of: {
  readonly gfr: number;
  readonly age: number;
  readonly sex: Sex;
}): number {
  const adult = creatinineForEgfr({ egfr: of.gfr, age: of.age, sex: of.sex });
  return adult ?? (0.413 * childHeight(of.age, of.sex)) / of.gfr;
}

/** Height in cm, roughly the median: 80 at one year and 7 a year from there, to 163 (girls) or 176 (boys). */
function childHeight(age: number, sex: Sex): number {
  return Math.min(sex === 'female' ? 163 : 176, 80 + 7 * Math.max(0, age - 1));
}
