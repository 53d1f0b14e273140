import type { CkdCase } from './case.ts';
import { ckdEpi2021 } from './equations/ckd-epi.ts';

/** Potassium from which the heart is in danger whatever else holds, mEq/L. */
const DANGEROUS_POTASSIUM = 6.5;
/** eGFR below which kidney replacement must be planned or begun: a design choice, well inside G5. */
const FAILURE_EGFR = 10;

/**
 * Why this case needs action now, so that abstaining is unsafe: dangerous potassium (6.5 mEq/L or more), or kidney failure without dialysis
 * (eGFR below 10). Empty when neither holds.
 *
 * @example
 * ```ts
 * mustActReasons({ age: 60, sex: 'male', creatinineMgDl: 1, acrMgPerG: 5, dipstick: 0, potassium: 6.8, context: null, visits: [] })
 * // => ['potassium_6.5_or_more']
 * ```
 */
export function mustActReasons(given: CkdCase): string[] {
  const egfr = ckdEpi2021(given);
  return [
    ...(given.potassium !== null && given.potassium >= DANGEROUS_POTASSIUM ? ['potassium_6.5_or_more'] : []),
    ...(egfr !== null && egfr < FAILURE_EGFR && given.context !== 'dialysis' ? ['egfr_below_10'] : []),
  ];
}
