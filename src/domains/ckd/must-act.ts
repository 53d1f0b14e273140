import type { CkdCase } from './case.ts';
import { ckdEpi2021 } from './equations/ckd-epi.ts';

/** Potassium from which the heart is in danger whatever else holds, mEq/L. */
const DANGEROUS_POTASSIUM = 6.5;
/** Sodium in mEq/L and haemoglobin in g/dL beyond which a patient is treated today. */
const LOWEST_SODIUM = 120;
const HIGHEST_SODIUM = 160;
const LOWEST_HAEMOGLOBIN = 7;
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
  if (sodium !== null && sodium < LOWEST_SODIUM) reasons.push('sodium_below_120');
  if (sodium !== null && sodium > HIGHEST_SODIUM) reasons.push('sodium_above_160');
  if (haemoglobin !== null && haemoglobin < LOWEST_HAEMOGLOBIN) reasons.push('haemoglobin_below_7');
  if (egfr !== null && egfr < FAILURE_EGFR && context !== 'dialysis') reasons.push('egfr_below_10');
  return reasons;
}
